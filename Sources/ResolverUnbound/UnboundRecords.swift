import ProbeDNS
package import ProbeKit
package import ProbeNet
package import ProbePlatform

extension UnboundResolver: RecordValidating {
    package func records(at servers: [Endpoint], anchors: [DNSAnchor], instant: Date?) -> any RecordSource {
        UnboundRecords(servers: servers, anchors: anchors, instant: instant)
    }
}

/// Records of any type from the first server that answers, with libunbound's decision on their signatures.
struct UnboundRecords: RecordSource {
    let servers: [Endpoint]
    let anchors: [DNSAnchor]
    let instant: Date?

    func reply(_ type: UInt16, of name: DNSName, by deadline: Deadline) async throws(DNSFailure) -> DNSMessage {
        try await proved(type, of: name, by: deadline).message
    }

    func proved(
        _ type: UInt16, of name: DNSName, by deadline: Deadline
    ) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool) {
        try await ServerTurns.first(
            of: servers, by: deadline, message: \.message, leadsOn: { Self.leadsOn(after: $0) }
        ) { (server: Endpoint, deadline: Deadline) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool) in
            try await answer(type, of: name, from: server, by: deadline)
        }
    }

    /// Returns true if the next server is asked after an answer. libunbound composes its reply with RA and without AA, so that
    /// any empty one may come from a server that does not serve the name, unless DNSSEC proves it.
    private static func leadsOn(after answer: (message: DNSMessage, isSecure: Bool)) -> Bool {
        answer.message.isReferral || answer.message.isEmpty && !answer.isSecure
    }

    private func answer(
        _ type: UInt16, of name: DNSName, from server: Endpoint, by deadline: Deadline
    ) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool) {
        if let absence = UnboundLibrary.absence { throw absence.dnsFailure }
        let query = DNSQuery(
            name: name, servers: [server], tries: 1, dnssec: .require, anchors: anchors, instant: instant,
            deadline: deadline)
        let settings = try UnboundSettings(query, server: server, type: type)
        let answer = try await UnboundLookup(settings, until: deadline).run().get()
        if let failure = answer.failure(isLate: deadline.remaining <= .zero) { throw failure }
        // Bogus data come with a reply: it has to be refused first.
        if case .bogus(let reason) = answer.dnssec {
            throw DNSFailure(.gaveUp, "the answer is bogus: \(reason)")
        }
        return (try DNSReply(answer.packet).answer(about: name, from: server), answer.isSecure)
    }
}
