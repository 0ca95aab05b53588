import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

/// Replies that count for no list lead to no server either.
@Suite(.bounded) struct RecordLookupTests {
    private static let address = LabDNSMessage(answers: [.address(.loopback4)])

    /// Asks a server of this behaviour for the addresses of a name.
    private func ask(_ behaviour: LabDNSBehaviour) async throws -> DNSMessage {
        let name = try DNSName("a.test")
        return try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            try await RecordLookup(at: [server.endpoint]).reply(1, of: name, by: .after(.seconds(1800)))
        }
    }

    private func failure(_ behaviour: LabDNSBehaviour) async throws -> DNSFailure {
        let failure = await #expect(throws: DNSFailure.self) { _ = try await ask(behaviour) }
        return try #require(failure)
    }

    /// RFC 8914 sections 4.5 and 4.16 to 4.18.
    @Test(arguments: [UInt16(4), 15, 16, 17], [DNSAttempt.ResponseCode.noError, .nameError])
    func anAnswerThatIsNotTheZonesIsAFailure(error: UInt16, code: DNSAttempt.ResponseCode) async throws {
        let message = Self.address.with {
            $0.responseCode = code
            $0.options = .records([.opt(extendedError: error)])
        }
        let failure = try await failure(.reply(message))
        #expect(failure.code == .gaveUp)
        #expect(failure.message.contains("the answer is not the zone's: extended error \(error) "), "\(failure)")
    }

    @Test func aStaleAnswerIsTheZones() async throws {
        let stale = Self.address.with { $0.options = .records([.opt(extendedError: 3)]) }
        #expect(try await ask(.reply(stale)).answers.count == 1)
    }

    /// It may be right the next time.
    @Test(arguments: [DNSAttempt.ResponseCode.noError, .refused])
    func aReplyToAnotherOperationIsAskedForAgain(code: DNSAttempt.ResponseCode) async throws {
        let other = Self.address.with {
            $0.opcode = 4
            $0.responseCode = code
        }
        let found = try await ask(LabDNSBehaviour.reply(Self.address).with { $0.first = [.reply(other)] })
        #expect(found.answers.count == 1)
        let failure = try await failure(.reply(other))
        #expect(failure.code == .gaveUp)
        #expect(failure.message.hasSuffix("the reply has opcode 4"), "\(failure)")
    }

    /// The server could not read the query, and knows EDNS.
    @Test func aRefusalWithoutAQuestionCounts() async throws {
        let refusal = LabDNSMessage(responseCode: .refused).with {
            $0.question = .missing
            $0.options = .records([.opt()])
        }
        let failure = try await failure(.reply(refusal))
        #expect(failure.message.hasSuffix("REFUSED"), "\(failure)")
    }
}
