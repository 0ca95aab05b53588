public import ProbeKit
import ProbePins

extension CacheKey {
    /// Creates the key of a model check through one resolver: the model, the names in order, the servers, the DNSSEC
    /// policy and the way strings are read. The number of tries does not affect the result, so it is left out.
    ///
    /// - Returns: nil if there is nothing to remember: without a model, since the list is shown then, or without a
    ///   lifetime.
    public init?(_ check: ModelCheck, through resolver: BackendIdentity) {
        guard let model = check.model, check.cacheLifetime != .never else { return nil }
        let https = check.httpsServers.map { server in
            "\(server) \(server.endpoint) \(server.anchors.digest)"
        }
        self.init(
            kind: .model,
            [
                [model.description], check.hosts.map { $0.description.lowercased() }, check.servers.map(\.description),
                https, [check.dnssec.rawValue], check.anchors.map(\.description), [check.strings.rawValue],
                [check.ednsSize.map { "\($0)" } ?? ""], [resolver.description],
            ])
    }
}
