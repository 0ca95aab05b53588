import ProbeKit

/// A conversation in clear text before TLS, without I/O: bytes go in, bytes come out, and the driver owns the socket.
protocol Dialogue {
    /// Goes one step, as far as the input allows; called again until it waits or is ready.
    ///
    /// - Throws: the failure that ends the connection.
    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn

    /// Returns true if these bytes may be there although the peer was not asked anything yet.
    func mayPrecede(_ rest: ArraySlice<UInt8>) -> Bool

    /// Returns the failure of a peer that broke the rules.
    func violation(_ message: String) -> HandshakeFailure
}

extension Dialogue {
    /// False by default: the peer speaks when it is asked.
    func mayPrecede(_ rest: ArraySlice<UInt8>) -> Bool { false }
}

/// The result of one step of a dialogue.
enum DialogueTurn {
    /// It needs more of the peer's bytes.
    case waits
    /// These bytes are to be sent, and there may be more to do.
    case says([UInt8])
    /// These bytes are to be sent, and then the connection belongs to the next dialogue, or to TLS.
    case ready(sending: [UInt8] = [])
}

/// Limits on the peer's bytes before TLS, the same for every protocol.
enum DialogueLimits {
    /// The longest line or message, in bytes.
    static let message = 8 * 1024
    /// The most bytes of a whole dialogue.
    static let dialogue = 64 * 1024
}

/// The peer's bytes that no dialogue has used yet.
struct DialogueInput {
    private var bytes: [UInt8] = []
    private var start = 0

    /// True if nothing is left.
    var isEmpty: Bool { start == bytes.count }

    /// The bytes that are left.
    var rest: ArraySlice<UInt8> { bytes[start...] }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes += more
    }

    /// Takes a number of bytes; nil if there are not as many yet.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { start += count }
        return Array(rest.prefix(count))
    }

    /// Takes one line, without its end, as text; nil if it is not complete yet.
    ///
    /// - Throws: nothing is thrown for a line that is complete; one that grows beyond the limit is the peer's fault.
    mutating func line(of dialogue: some Dialogue) throws(HandshakeFailure) -> String? {
        guard let end = rest.firstIndex(of: 0x0a) else {
            guard rest.count <= DialogueLimits.message else {
                throw dialogue.violation("it sent a line of more than \(DialogueLimits.message) bytes")
            }
            return nil
        }
        var line = rest[..<end]
        guard line.count <= DialogueLimits.message else {
            throw dialogue.violation("it sent a line of more than \(DialogueLimits.message) bytes")
        }
        start = end + 1
        if line.last == 0x0d { line = line.dropLast() }
        return String(decoding: line, as: UTF8.self)
    }
}

extension String {
    /// The peer's words, bounded and printable, for a message.
    var quoted: String { "\"\(PrintableText.escape(String(prefix(120))))\"" }
}
