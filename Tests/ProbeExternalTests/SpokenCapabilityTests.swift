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

    @Test func aCapabilityWithoutWordsIsLeftOut() async throws {
        let program = try FakeProgram(
            hello: "send({'id': request['id'], **HELLO, 'capabilities': ['sni', 'proxy', 'of-a-later-version']})")
        let transport = try await program.transport()
        #expect(transport.capabilities == [.sni])
        await transport.stop()
    }
}
