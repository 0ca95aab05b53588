import NIOCore
package import ProbeKit

/// The time after a handshake in which the server may still refuse the client, until it has sent something or a moment
/// has passed.
///
/// The server's next message ends it: an alert or a close is the refusal, anything else means that it continues. A
/// server that accepts the client and sends nothing first is waited for in vain, so the moment is short, and only
/// servers that asked for a certificate cost it.
struct LateRefusal {
    /// The server's bytes inside TLS meanwhile, for another reader.
    private(set) var plaintext: [UInt8] = []
    private var records = RecordCounter()

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
        if let end = decrypted.end {
            // The close is a record too; what came before it was a ticket or data, and the client was accepted.
            if end == .closed, records.count > 1 { return .goesOn }
            return .refuses(end.afterHandshake)
        }
        // A whole record that ended nothing is a ticket or data: the server is done with the client's certificate.
        return records.count > 0 ? .goesOn : .none
    }
}

extension RecordFailure {
    /// The failure of a connection whose records end this way once the client's side of the handshake is complete.
    package var afterHandshake: HandshakeFailure {
        if let refusal { return refusal }
        return self == .closed
            ? .closedRightAfter
            : HandshakeFailure(.protocolError, message, nativeCode: nativeCode, isAfterHandshake: true)
    }
}

/// Counts whole TLS records in a stream of bytes (RFC 8446 section 5.1).
struct RecordCounter {
    private var header: [UInt8] = []
    private var missing = 0
    private(set) var count = 0

    mutating func take(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if missing > 0 {
                missing -= 1
                if missing == 0 { count += 1 }
                continue
            }
            header.append(byte)
            guard header.count == 5 else { continue }
            missing = Int(header[3]) << 8 | Int(header[4])
            if missing == 0 { count += 1 }
            header = []
        }
    }
}
