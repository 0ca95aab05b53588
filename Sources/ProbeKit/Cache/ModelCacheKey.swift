extension CacheKey {
    /// The key of a model check through one resolver: the model, the names in their order, who is asked, what an answer
    /// needs to count and how it is read. How often a server is asked decides nothing, so it is left out.
    ///
    /// - Returns: nil if there is nothing to remember: without a model, for then the list is shown, or a lifetime.
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
