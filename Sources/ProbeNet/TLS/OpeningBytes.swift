import NIOCore
import ProbeKit

/// The peer's first bytes, held back until they are as many as the header of a TLS record (RFC 8446 section 5.1): a network
/// splits them as it likes, and whether they are TLS must not depend on that. The name of another protocol may, since a greeting
/// is not waited for to its end.
struct OpeningBytes {
    /// The meaning of the bytes so far.
    enum Reading {
        /// They are too few to know.
        case undecided
        /// They can't begin a TLS record, but more of them may name what they begin; not for longer than ``patience``.
        case unnamed
        /// They begin a TLS record, all of them.
        case record(ByteBuffer)
        /// They can't.
        case clearText(ByteBuffer)
    }

    /// The time that a greeting gets to go on: a peer that waits for an answer to its first bytes sends no more.
    static let patience = TimeAmount.milliseconds(100)
    private static let headerLength = 5
    private var bytes = ByteBuffer()

    /// Takes the bytes that arrived.
    mutating func take(_ arrived: ByteBuffer) -> Reading {
        bytes.writeImmutableBuffer(arrived)
        let isLong = bytes.readableBytes >= Self.headerLength
        guard let clearText else { return isLong ? .record(bytes) : .undecided }
        return isLong || !mayBeNamed ? .clearText(clearText) : .unnamed
    }

    /// True if the bytes may be the first of a line of text.
    private var mayBeNamed: Bool {
        let view = bytes.readableBytesView
        guard let first = view.first, !HandshakeFailure.beginsRecord(first) else { return false }
        return !view.contains(UInt8(ascii: "\n"))
    }

    /// The bytes so far, if they can't begin a TLS record; for a peer that sends no more.
    var clearText: ByteBuffer? {
        HandshakeFailure.notTLS(beginning: bytes.readableBytesView) == nil ? nil : bytes
    }
}
