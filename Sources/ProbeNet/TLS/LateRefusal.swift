import NIOCore
package import ProbeKit

/// The time after a handshake in which the server may still refuse the client, until it has sent something or a moment
/// has passed.
///
/// The server's next message ends it: an alert or a close is the refusal, a ticket or data means that it continues. A
/// server that accepts the client and sends nothing first is waited for in vain, so the moment is short, and only
/// servers that asked for a certificate cost it.
struct LateRefusal {
    /// The server's bytes inside TLS meanwhile, for another reader.
    private(set) var plaintext: [UInt8] = []
    private var records = RecordCounter()
    /// True if data came after the client's last message. What a server sends before that is for a client that has not
    /// authenticated (RFC 8446 section 2).
    private var didReceiveData = false

    /// The meaning of the engine's bytes.
    enum Word {
        /// Nothing yet.
        case none
        /// It continues.
        case goesOn
        case refuses(HandshakeFailure)
    }

    /// Takes the bytes that arrived.
    mutating func take(_ bytes: ByteBuffer) {
        records.take(bytes.readableBytesView)
    }

    /// Returns the meaning of the bytes so far.
    mutating func word(of engine: any HandshakeEngine) -> Word {
        let decrypted = engine.decrypt()
        plaintext += decrypted.bytes
        if !records.isEmpty, !decrypted.bytes.isEmpty { didReceiveData = true }
        if let end = decrypted.end {
            // Padded, the close itself may be as long as a ticket; it is the last record.
            if end.isClose, didReceiveData || records.countBeforeLast > 0 { return .goesOn }
            return .refuses(end.afterHandshake)
        }
        // A ticket or data: the server is done with the client's certificate.
        return didReceiveData || records.count > 0 ? .goesOn : .none
    }
}

extension RecordFailure {
    /// The failure of a connection whose records end this way once the client's side of the handshake is complete.
    package var afterHandshake: HandshakeFailure {
        if let refusal { return refusal }
        return isClose
            ? .closedRightAfter
            : HandshakeFailure(.protocolError, message, nativeCode: nativeCode, isAfterHandshake: true)
    }
}

/// Counts the whole TLS records in a stream of bytes (RFC 8446 section 5.1) that are too long for an alert: stacks pass over
/// some alerts, user_canceled for one, and such a record accepts nobody.
struct RecordCounter {
    /// The length of an encrypted alert: level and description, the type of the content, and the longest tag of TLS 1.3's
    /// algorithms (RFC 8446 sections 5.2 and 6).
    private static let alertLength = 2 + 1 + 16

    private var header: [UInt8] = []
    private var length = 0
    private var missing = 0
    /// True until a record has ended.
    private(set) var isEmpty = true
    /// The number of records.
    private(set) var count = 0
    /// The number of those before the last record of any length.
    private(set) var countBeforeLast = 0

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if missing > 0 {
                missing -= 1
                if missing == 0 { end() }
                continue
            }
            header.append(byte)
            guard header.count == 5 else { continue }
            length = Int(header[3]) << 8 | Int(header[4])
            missing = length
            if missing == 0 { end() }
            header = []
        }
    }

    private mutating func end() {
        isEmpty = false
        countBeforeLast = count
        if length > Self.alertLength { count += 1 }
    }
}
