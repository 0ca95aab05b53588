import ProbeDNS
import ProbeKit

extension Following {
    /// Returns the places that service bindings of HTTPS name (RFC 9460 section 3). Without one that can be used it is the
    /// name that the last alias leads to, else the host's own, as with every client that has an optional use for them.
    func bindings(
        of name: DNSName, for own: Place, _ steps: inout [FollowedRecords], by deadline: Deadline
    ) async throws(HandshakeFailure) -> [Place] {
        var walk = AliasWalk(from: name)
        var (asked, otherwise) = (name, own)
        while true {
            let found = try await source.records(DNSType.https, of: asked, &walk, by: deadline)
            let set = BindingSet(found)
            let owner = found.aliases.last ?? asked
            if let alias = set.alias {
                steps.append(Self.step(asked, "HTTPS", found, set.besideAlias))
                guard !alias.target.isRoot else {
                    throw HandshakeFailure(.serviceNotOffered, "\(owner) offers no HTTPS: its record leads to '.'")
                }
                try walk.step(to: alias.target)
                (asked, otherwise) = (alias.target, Place(host: alias.target, port: own.port))
                continue
            }
            var places: [Place] = []
            let records = set.records { binding, parameters in
                if let obstacle = obstacle(parameters) { return obstacle }
                let host = binding.target.isRoot ? owner : binding.target
                places.append(Place(host: host, port: parameters.port ?? own.port, hints: parameters.hints))
                return nil
            }
            steps.append(Self.step(asked, "HTTPS", found, records))
            return places.isEmpty ? [otherwise] : places
        }
    }

    /// Returns the reason why a binding can't be used; nil if it can.
    private func obstacle(_ parameters: ServiceBinding.Parameters) -> String? {
        if !parameters.unknown.isEmpty {
            let names = parameters.unknown.map(ServiceBinding.Parameters.name).joined(separator: ", ")
            return "the mandatory parameter \(names) is not honoured here"
        }
        if parameters.port == 0 { return "port 0" }
        let spoken = parameters.alpn + (parameters.hasNoDefaultALPN ? [] : ["http/1.1"])
        let common = spoken.filter { alpn.isEmpty ? !Self.isOverQUIC($0) : alpn.contains($0) }
        return common.isEmpty ? "no protocol of \(spoken.joined(separator: ",")) is spoken over TLS here" : nil
    }

    /// True for HTTP/3 and its drafts (RFC 9114 section 3.1).
    private static func isOverQUIC(_ name: String) -> Bool { name == "h3" || name.hasPrefix("h3-") }
}
