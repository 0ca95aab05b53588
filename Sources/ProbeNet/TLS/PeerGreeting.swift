import NIOCore
import ProbeKit

/// The beginning of a peer's bytes where TLS begins. It holds them back until they are the first of a TLS record, and has the
/// failure of a peer that uses something else.
struct PeerGreeting {
    /// The bytes that are held back; nil once they have shown themselves to be TLS.
    private var opening: OpeningBytes? = OpeningBytes()
    private let isAfterDialogue: Bool

    /// - Parameter isAfterDialogue: true where the peer agreed to start TLS, so that anyone may have added clear text.
    init(isAfterDialogue: Bool) {
        self.isAfterDialogue = isAfterDialogue
    }

    /// Takes the bytes that arrived. Returns all that are TLS, or nil while it is not known, or the peer may still name what it
    /// uses: then there is a ``failure``.
    ///
    /// - Throws: the failure of a peer that does not use TLS.
    mutating func take(_ arrived: ByteBuffer) throws(HandshakeFailure) -> ByteBuffer? {
        guard let reading = opening?.take(arrived) else { return arrived }
        switch reading {
        case .undecided, .unnamed: return nil
        case .record(let bytes):
            opening = nil
            return bytes
        case .clearText(let bytes): throw notTLS(bytes)
        }
    }

    /// The failure of a peer whose first bytes can't begin a TLS record, few as they may be; nil if they can.
    var failure: HandshakeFailure? { opening?.clearText.map(notTLS) }

    private func notTLS(_ clearText: ByteBuffer) -> HandshakeFailure {
        let bytes = clearText.readableBytesView
        return isAfterDialogue ? DialogueRun.injection(bytes) : .notTLS(bytes)
    }
}
