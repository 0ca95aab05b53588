import NIOCore
import ProbeKit
import Testing

@testable import ProbeNet

/// The meaning of a server's first records after a handshake in which it asked for a client certificate.
@Suite struct LateRefusalTests {
    /// Decrypts everything to the same.
    private final class FixedEngine: HandshakeEngine {
        private let decrypted: DecryptedBytes

        init(_ decrypted: DecryptedBytes) { self.decrypted = decrypted }

        func receive(_ bytes: RawSpan) {}
        func advance() -> HandshakeProgress { .complete }
        func takeOutput() -> [UInt8] { [] }
        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func decrypt() -> DecryptedBytes { decrypted }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
    }

    /// The length of an alert's record, without its header.
    private static let alert = 19
    /// That of a ticket's.
    private static let ticket = 200

    /// Returns the meaning in a word or, of a refusal, its code.
    private static func word(_ lengths: [Int], _ bytes: [UInt8] = [], end: RecordFailure? = nil) -> String {
        var refusal = LateRefusal()
        for length in lengths {
            refusal.take(
                ByteBuffer(
                    bytes: [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: 0, count: length)))
        }
        return switch refusal.word(of: FixedEngine(DecryptedBytes(bytes, end: end))) {
        case .none: "none"
        case .goesOn: "goes on"
        case .refuses(let failure): failure.code.rawValue
        }
    }

    @Test func aTicketOrDataAccepts() {
        #expect(Self.word([Self.ticket]) == "goes on")
        #expect(Self.word([Self.ticket, Self.alert], end: .closed) == "goes on")
        #expect(Self.word([18], [1]) == "goes on")
        #expect(Self.word([18, Self.alert], [1], end: .closed) == "goes on")
    }

    /// A server may send data with its Finished, before it has seen the client's certificate.
    @Test func dataFromBeforeTheClientsLastMessageAcceptsNobody() {
        #expect(Self.word([], [1]) == "none")
        #expect(Self.word([], [1], end: .closed) == "connection-closed")
    }

    /// OpenSSL and BoringSSL pass over user_canceled; GnuTLS ends with it.
    @Test func anAlertThatIsPassedOverDoesNotAccept() {
        #expect(Self.word([]) == "none")
        #expect(Self.word([Self.alert]) == "none")
        #expect(Self.word([Self.alert, Self.alert], end: .closed) == "connection-closed")
        let canceled = RecordFailure("user canceled", nativeCode: "X", alert: .userCanceled)
        #expect(Self.word([Self.alert], end: canceled) == "connection-closed")
    }

    @Test func aCloseOrAnAlertRefuses() {
        #expect(Self.word([Self.alert], end: .closed) == "connection-closed")
        // Padded (RFC 8446 section 5.4).
        #expect(Self.word([Self.ticket], end: .closed) == "connection-closed")
        let refusal = RecordFailure("certificate required", alert: .certificateRequired)
        #expect(Self.word([Self.alert], end: refusal) == "alert-received")
        #expect(Self.word([40], end: RecordFailure("bad record mac")) == "protocol-error")
    }
}
