import NIOCore
package import ProbeKit

/// The time after a handshake in which the server may still refuse the client, until it has sent something or a moment
/// has passed.
///
/// An alert or a close is the refusal. A ticket shows that it continues, since one comes after the client's Finished (RFC
/// 8446 section 4.6.1). Data don't end the wait: a server may send them to a client that has not authenticated (section
/// 2). A server that accepts the client and sends no ticket is waited for in vain, so the moment is short, and only
/// servers that asked for a certificate cost it.
struct LateRefusal {
    /// The server's bytes inside TLS meanwhile, for another reader.
    private(set) var plaintext: [UInt8] = []
    /// True if a ticket came, or data so late that they may be the server's answer. A close is not a refusal then.
    private(set) var hasContinued = false

    private var records: RecordBounds
    /// True while the record under way began before the handshake was complete.
    private var isStraddled: Bool
    private let answers: NIODeadline
    private var received = 0
    private var didReceiveTicket = false

    /// The server's decision about the client, as far as the engine's bytes show it.
    enum Progress {
        /// The server may still refuse.
        case waiting
        /// It continues, or its decision is not waited for any longer.
        case accepted
        case refused(HandshakeFailure)
    }

    /// - Parameters:
    ///   - records: the server's records so far.
    ///   - answers: the time from which data may be the server's answer to the client's last message: a round trip after
    ///     it, for which the time of the handshake stands.
    init(after records: RecordBounds, answersFrom answers: NIODeadline) {
        self.records = records
        isStraddled = !records.isBetweenRecords
        self.answers = answers
    }

    /// Has an engine decrypt the bytes that arrived, and whatever it had, record by record; returns the decision so far.
    mutating func progress(
        of engine: any HandshakeEngine, after bytes: ByteBuffer, at now: NIODeadline
    ) -> Progress {
        received += bytes.readableBytes
        var rest = bytes
        repeat {
            let count = records.advance(through: rest.readableBytesView)
            if count > 0, let part = rest.readSlice(length: count) { engine.receive(part.readableBytesSpan) }
            let decrypted = engine.decrypt()
            plaintext += decrypted.bytes
            if !decrypted.bytes.isEmpty, now >= answers { hasContinued = true }
            if let end = decrypted.end {
                return end.isClose && hasContinued ? .accepted : .refused(end.afterHandshake)
            }
            guard count > 0, records.isBetweenRecords else { continue }
            if !isStraddled, decrypted.bytes.isEmpty, records.mayBeTicket {
                didReceiveTicket = true
                hasContinued = true
            }
            isStraddled = false
        } while rest.readableBytes > 0
        // Above the limit all readers have enough, and waiting on costs memory.
        return didReceiveTicket || received > HTTPExchange.maximumResponseBytes ? .accepted : .waiting
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
