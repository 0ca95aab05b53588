import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

/// The answers after which the walk over the servers goes on.
@Suite(.bounded) struct DNSConclusionTests {
    private static let list = LabDNSMessage(answers: [.txt("florida")])
    private static let echo = list.with { $0.isReply = false }

    private func name() throws -> DNSName { try DNSName("models.test") }

    private func reply(_ message: LabDNSMessage) throws -> [UInt8] {
        let query = DNSQueryMessage.bytes(name: try name(), id: 7, ednsSize: nil)
        return message.wireBytes(to: try #require(LabDNSQuery(query, over: .udp, from: 5300)))
    }

    private func attempt(_ message: LabDNSMessage, _ dnssec: DNSSECState? = nil) throws -> DNSAttempt {
        DNSAttempt(
            server: "192.0.2.1:53", channel: .unknown, ednsSize: nil, id: 7, reply: try reply(message), native: nil,
            dnssec: dnssec, failure: nil, duration: .zero)
    }

    /// Asks servers in turn, each of which has one answer, at most twice.
    private func walk(_ answers: [DNSAttempt]) async throws -> DNSReport {
        let query = DNSQuery(name: try name(), servers: [], tries: 2, deadline: .after(.seconds(1800)))
        return await DNSWalk.over(Array(answers.indices), query) { server in [answers[server]] }
    }

    private func code(_ report: DNSReport, _ dnssec: DNSSECPolicy = .off) throws -> String? {
        guard case .indeterminate(let doubt) = TXTReader.read(report, name: try name(), dnssec: dnssec) else {
            return nil
        }
        return doubt.code
    }

    /// RFC 4035 section 5.5. The same server is not asked again.
    @Test func bogusDataLeadToTheNextServer() async throws {
        let bogus = DNSSECState.bogus("no signature")
        let (bad, good) = (try attempt(Self.list, bogus), try attempt(Self.list, .secure))
        let found = try await walk([bad, good])
        #expect(found.attempts.map(\.dnssec) == [bogus, .secure])
        #expect(try code(found, .require) == nil)
        let lost = try await walk([bad, bad])
        #expect(lost.attempts.map(\.dnssec) == [bogus, bogus])
        #expect(try code(lost, .require) == "dnssec-bogus")
    }

    @Test func theFirstServerWhoseDataAreProvedIsTheLast() async throws {
        let good = try attempt(Self.list, .secure)
        #expect(try await walk([good, good]).attempts.count == 1)
    }

    /// A server that sends the query back has not answered, and may the next time.
    @Test func anEchoLeadsToTheNextServer() async throws {
        let (echo, answer) = (try attempt(Self.echo), try attempt(Self.list))
        let found = try await walk([echo, answer])
        #expect(found.attempts.count == 2)
        #expect(try code(found) == nil)
        let lost = try await walk([echo, echo])
        #expect(lost.attempts.count == 4)
        #expect(try code(lost) == "not-a-reply")
    }

    private static let damaged: [(LabDNSMessage, String)] = [
        (list.with { $0.tail = [0xde, 0xad] }, "trailing-bytes"), (list.with { $0.cut = 50 }, "malformed"),
        (list.with { $0.claimedAnswers = 2 }, "malformed"),
        (LabDNSMessage(responseCode: .nameError).with { $0.tail = [0] }, "trailing-bytes"),
        (LabDNSMessage(answers: [.txt("florida").with { $0.claimedLength = 900 }]), "malformed"),
        (list.with { $0.truncation = .always }, "truncated"), (list.with { $0.opcode = 4 }, "wrong-opcode"),
    ]

    /// A reply that the strict reader can't use for its form may be whole the next time, or at another server (decided: dns-answers).
    /// If it never is, its fault is the verdict's.
    @Test(arguments: damaged)
    func aDamagedReplyIsAskedForAgain(damaged: LabDNSMessage, fault: String) async throws {
        let (bad, good) = (try attempt(damaged), try attempt(Self.list))
        let found = try await walk([bad, good])
        #expect(found.attempts.count == 2)
        #expect(try code(found) == nil)
        let lost = try await walk([bad, bad])
        #expect(lost.attempts.count == 4)
        #expect(try code(lost) == fault)
    }

    /// The last try counts, in the order in which they began, even if an earlier one had a reply (decided: dns-answers).
    @Test func theLastTryCountsWhereNothingSettles() async throws {
        let damaged = try attempt(Self.list.with { $0.tail = [0] })
        let silence = DNSAttempt.unsent(
            to: "192.0.2.2:53", over: .unknown, ednsSize: nil, failure: .late, duration: .zero)
        let (silentLast, silentFirst) = (try await walk([damaged, silence]), try await walk([silence, damaged]))
        #expect(try code(silentLast) == "timeout")
        #expect(try code(silentFirst) == "trailing-bytes")
    }

    /// A refusal that is damaged is still one, and the same server is not asked again.
    @Test func aDamagedRefusalIsARefusal() async throws {
        let refusal = try attempt(LabDNSMessage(responseCode: .refused).with { $0.tail = [0] })
        let lost = try await walk([refusal, refusal])
        #expect(lost.attempts.count == 2)
        #expect(try code(lost) == "query-refused")
    }

    /// A server that returns an empty reply and offers no recursion may not serve the name (RFC 1912 section 2.8).
    @Test func anEmptyReplyWithoutAuthorityLeadsToTheNextServer() async throws {
        let empty = LabDNSMessage()
        let (lame, good) = (try attempt(empty.with { $0.isAuthoritative = false }), try attempt(Self.list))
        let found = try await walk([lame, good])
        #expect(found.attempts.count == 2)
        #expect(try code(found) == nil)
        let lost = try await walk([lame, lame])
        #expect(lost.attempts.count == 2)
        #expect(try code(lost) == "absence-unproven")
        let own = try await walk([try attempt(empty), good])
        #expect(own.attempts.count == 1, "an authority's empty reply is an answer, if not a proof")
    }

    /// For records an empty reply is an answer if no other server has one; waiting for those does not take all of the time.
    @Test func anEmptyReplyLeavesTimeForWhatFollows() async throws {
        let empty = try DNSMessage(try reply(LabDNSMessage().with { $0.isAuthoritative = false }))
        let servers = [Endpoint(host: .ip(.loopback4), port: 53), Endpoint(host: .ip(.loopback4), port: 54)]
        var shares: [Duration] = []
        let found = try await ServerTurns.first(
            of: servers, by: .after(.seconds(3600)), message: { $0 }, leadsOn: { $0.isLame }
        ) { (server: Endpoint, deadline: Deadline) async throws(DNSFailure) -> DNSMessage in
            shares.append(deadline.remaining)
            guard server == servers[0] else { throw DNSFailure.late }
            return empty
        }
        #expect(found.isEmpty)
        #expect(shares.count == 2 && shares.allSatisfy { $0 <= .seconds(1800) }, "\(shares)")
    }

    /// Nor do the response codes of an echo mean anything: those that end the questions, or refuse EDNS.
    @Test(arguments: [DNSAttempt.ResponseCode.refused, .formatError, .notImplemented])
    func theCodeOfAnEchoIsNotRead(code: DNSAttempt.ResponseCode) throws {
        let refusal = LabDNSMessage(responseCode: code)
        let echo = try reply(refusal.with { $0.isReply = false })
        #expect(!DNSConclusion.refusesEDNS(DNSReply(echo)))
        #expect(DNSConclusion.refusesEDNS(DNSReply(try reply(refusal))) == (code != .refused))
        guard case .undecided = DNSConclusion(of: try attempt(refusal.with { $0.isReply = false })) else {
            Issue.record("an echo with \(code) ends the questions")
            return
        }
    }
}
