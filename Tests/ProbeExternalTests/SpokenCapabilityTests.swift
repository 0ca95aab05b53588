import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// The capabilities that the protocol has words for are those of its page, and no others count.
@Suite(.bounded) struct SpokenCapabilityTests {
    /// Returns the part of the page between two texts.
    private static func page(from start: String, to end: String) throws -> String {
        let path = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Plugins/PROTOCOL.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let from = try #require(text.firstRange(of: start)).upperBound
        let to = try #require(text[from...].firstRange(of: end)).lowerBound
        return String(text[from..<to])
    }

    /// Returns the first column of a table.
    private static func rows(of table: String) -> Set<String> {
        Set(table.matches(of: #/^\| `([a-z0-9-]+)` \|/#.anchorsMatchLineEndings()).map { String($0.1) })
    }

    @Test func thePageHasTheTransports() throws {
        let table = try Self.page(from: "Capabilities of a transport.", to: "\nThe capabilities")
        #expect(Self.rows(of: table) == Set(ExternalTransport.spoken.map(\.rawValue)))
        let others = try Self.page(from: "\nThe capabilities", to: "have no words")
            .matches(of: #/`([a-z0-9-]+)`/#).map { TransportCapability(rawValue: String($0.1)) }
        #expect(!others.isEmpty && ExternalTransport.spoken.isDisjoint(with: others))
    }

    @Test func thePageHasTheResolvers() throws {
        let table = try Self.page(from: "Capabilities of a resolver.", to: "The protocol has no words")
        #expect(Self.rows(of: table) == Set(ExternalResolver.spoken.map(\.rawValue)))
    }

    /// Returns all that is set as code in a text.
    private static func codes(in text: String) -> Set<String> {
        Set(text.matches(of: #/`([a-z0-9-]+)`/#).map { String($0.1) })
    }

    @Test func thePageHasTheFailures() throws {
        let table = try Self.page(from: "| failure | means |", to: "With `http-head`, `http`")
        let rows = table.split(separator: "\n").compactMap { $0.split(separator: "|").first }
        let codes = rows.map { Self.codes(in: String($0)) }.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(codes == Set(WireHandshakeReport.Failure.spoken.map(\.rawValue)))
        let list = try Self.page(from: "`failure` is `{\"code\":…,\"message\":…}` with a code of:", to: "Any\n")
        #expect(Self.codes(in: list) == Set(WireDNSAttempt.Failure.spoken.map(\.rawValue)))
    }

    /// The other codes are about what a program is never asked for, or what only this process finds.
    @Test func aFailureWithoutWordsIsGarbled() throws {
        let words = "which is not a code of the protocol"
        for code in HandshakeFailure.Code.allCases where !WireHandshakeReport.Failure.spoken.contains(code) {
            let line = Data(#"{"report":{"failure":{"code":"\#(code.rawValue)","message":"no"}}}"#.utf8)
            let reply = try ProgramJSON.decode(WireHandshakeReply.self, line)
            let error = #expect(throws: WireError.self) { try reply.report.report() }
            #expect(error?.description.contains(words) == true, "\(code)")
        }
        let attempt = #"""
            {"attempts":[{"server":"127.0.0.1:53","channel":"udp","queryID":1,"duration":0,
            "failure":{"code":"server-pin-mismatch","message":"no"}}]}
            """#
        let reply = try ProgramJSON.decode(WireDNSReply.self, Data(attempt.utf8))
        let error = #expect(throws: WireError.self) { try reply.report() }
        #expect(error?.description.contains(words) == true)
    }

    @Test func aCapabilityWithoutWordsIsLeftOut() async throws {
        let program = try FakeProgram(
            hello: "send({'id': request['id'], **HELLO, 'capabilities': ['sni', 'proxy', 'of-a-later-version']})")
        let transport = try await program.transport()
        #expect(transport.capabilities == [.sni])
        await transport.stop()
    }
}
