import ProbeDNS
public import ProbeKit

extension Prober {
    /// Probes one allow-list at several servers that should publish the same, all at once, and compares their answers: a
    /// difference is a warning of every result, an answer without authority one of its own.
    ///
    /// - Parameters:
    ///   - servers: the servers, each with the words that name it.
    ///   - timeout: the time for all of them.
    /// - Returns: for each server, in their order, a result for each resolver.
    public func probe(
        _ check: ModelCheck, at servers: [(name: String, endpoint: Endpoint)], through resolvers: [any Resolver],
        timeout: Duration
    ) async -> [[ProbeResult]] {
        let deadline = Deadline.after(timeout)
        let seen = await Concurrently.map(servers) { server in
            await Concurrently.map(resolvers) { resolver in
                await observe(check.asking([server.endpoint]), through: resolver, deadline: deadline)
            }
        }
        let judged = difference(servers.map(\.name), seen).map(check.announcing) ?? check
        return zip(servers, seen).map { server, models in
            models.map { model in
                let check = lameness(model, of: server.name).map(judged.announcing) ?? judged
                return judge(check, subject: "\(check.subject) at \(server.name)", model, asksNameServer: true)
            }
        }
    }

    /// Judges one allow-list whose servers are not found, for a reason that is known before a resolver is asked.
    ///
    /// - Parameter server: the words that name the server; nil if none is found.
    /// - Returns: a result for each resolver, in their order.
    public func probe(
        _ check: ModelCheck, failing failure: DNSFailure, at server: String? = nil, through resolvers: [any Resolver]
    ) -> [ProbeResult] {
        let answers = check.hosts.prefix(1).map { host in
            ModelEvidence.Answer(
                host: host, report: DNSReport(attempts: []), reading: .indeterminate(.unanswered(failure)),
                duration: .zero)
        }
        return resolvers.map { resolver in
            let evidence = ModelEvidence(
                resolver: resolver.identity, model: check.model, answers: answers, missing: [])
            return judge(check, subject: check.subject + (server.map { " at \($0)" } ?? ""), evidence)
        }
    }

    /// Returns a warning if servers answer one resolver differently; those of whose answer nothing is known do not count.
    private func difference(_ names: [String], _ seen: [[ModelEvidence?]]) -> Finding? {
        for resolver in seen.first?.indices ?? 0..<0 {
            var servers: [String: [String]] = [:]
            for (name, models) in zip(names, seen) {
                if let text = models[resolver]?.deciding?.reading.published { servers[text, default: []].append(name) }
            }
            guard servers.count > 1 else { continue }
            let texts = servers.map { "\($0.value.joined(separator: ", ")): \($0.key)" }.sorted()
            return .warning(
                "name-servers-differ", stage: .dns,
                "the name servers do not publish the same: \(texts.joined(separator: "; "))",
                fix: "publish the same zone on all of them, and see why some are behind")
        }
        return nil
    }

    /// Returns a warning if a server answers without authority for the name. libunbound does not show the reply: that of the
    /// exchange beside it counts.
    private func lameness(_ model: ModelEvidence?, of server: String) -> Finding? {
        guard let answer = model?.deciding, answer.reading.published != nil,
            let last = answer.report.attempts.last(where: { $0.channel != .unknown && $0.received != nil }),
            let header = last.received?.header, !header.isAuthoritative
        else { return nil }
        return .warning(
            "not-authoritative", stage: .dns, "\(server) answers without authority for \(answer.host)",
            fix: .serveZone)
    }
}

extension ModelReading {
    /// The list that a server publishes, in an order that does not depend on the server's; nil where nothing is known.
    fileprivate var published: String? {
        switch self {
        case .listed(let list), .listedInPart(let list), .notListed(let list):
            list.items.isEmpty
                ? "an empty list"
                : list.items.map { MasterFileText.escape($0) }.sorted().joined(separator: ",")
        case .absent: "no list"
        case .indeterminate, .readingsDisagree: nil
        }
    }
}
