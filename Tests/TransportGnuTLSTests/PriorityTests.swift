import Testing

@testable import TransportGnuTLS

/// The priorities that sessions share.
@Suite struct PriorityTests {
    private struct Reference {
        weak var priority: GnuTLSPriority?
    }

    /// Every choice of groups: more than are remembered.
    private static let words = (1..<128).map { (choice: Int) in
        let groups = ["SECP256R1", "SECP384R1", "SECP521R1", "X25519", "X448", "FFDHE2048", "FFDHE3072"]
        return groups.enumerated().filter { choice & 1 << $0.offset != 0 }.reduce("NORMAL:-GROUP-ALL") {
            $0 + ":+GROUP-" + $1.element
        }
    }

    /// A session is offered its own algorithms, also when those were forgotten.
    @Test func anyNumberOfThemWorksInBoundedMemory() throws {
        try #require(GnuTLSLibrary.absence == nil)
        let session = try GnuTLSSession()
        try session.setPriority(.of(Self.words[0]))
        var references: [Reference] = []
        for words in Self.words.dropFirst() { references.append(Reference(priority: try GnuTLSPriority.of(words))) }
        #expect(references.count > 64 && references.count { $0.priority != nil } <= 64)
        #expect(session.handshake() == .again)
        #expect(!session.wire.takeOutput().isEmpty)
    }
}
