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
            var bindings: [ServiceBinding] = []
            for record in found.records { bindings.append(try Self.read(record, found, DNSMessage.binding)) }
            bindings.sort { ($0.priority, "\($0.target)") < ($1.priority, "\($1.target)") }
            let owner = found.aliases.last ?? asked
            if let alias = bindings.first, alias.isAlias {
                steps.append(Self.step(asked, "HTTPS", found, Self.aliases(bindings)))
                guard !alias.target.isRoot else {
                    throw HandshakeFailure(.serviceNotOffered, "\(owner) offers no HTTPS: its record leads to '.'")
                }
                try walk.step(to: alias.target)
                (asked, otherwise) = (alias.target, Place(host: alias.target, port: own.port))
                continue
            }
            var places: [Place] = []
            let records = records(bindings) { binding, parameters in
                let host = binding.target.isRoot ? owner : binding.target
                places.append(Place(host: host, port: parameters.port ?? own.port, hints: parameters.hints))
            }
            steps.append(Self.step(asked, "HTTPS", found, records))
            return places.isEmpty ? [otherwise] : places
        }
    }

    /// The records of a set with an alias: the first alias counts, and nothing else (RFC 9460 section 2.4.2).
    private static func aliases(_ bindings: [ServiceBinding]) -> [FollowedRecords.Record] {
        bindings.enumerated().map { index, binding in
            var record = FollowedRecords.Record(priority: binding.priority, target: binding.target.description)
            record.unused = index == 0 ? nil : "an alias stands beside it"
            return record
        }
    }

    /// Returns the records of a set, and calls `use` for each that can be used. One that is malformed spoils its set (RFC
    /// 9460 section 2.2).
    private func records(
        _ bindings: [ServiceBinding], use: (ServiceBinding, ServiceBinding.Parameters) -> Void
    ) -> [FollowedRecords.Record] {
        let fault = bindings.lazy.compactMap { binding -> ReplyFault? in
            if case .failure(let fault) = binding.parameters { fault } else { nil }
        }.first
        return bindings.map { binding in
            var record = FollowedRecords.Record(priority: binding.priority, target: binding.target.description)
            if case .success(let parameters) = binding.parameters {
                (record.port, record.alpn) = (parameters.port, parameters.alpn)
                (record.hints, record.hasECH) = (parameters.hints, parameters.hasECH)
                record.unused = fault == nil ? obstacle(parameters) : nil
                if fault == nil, record.unused == nil { use(binding, parameters) }
            }
            if let fault { record.unused = "a record of the set is malformed: \(fault.message)" }
            return record
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
