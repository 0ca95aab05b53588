import ProbeKit

/// PostgreSQL's SSLRequest, answered by one byte, or by an error in its place.
struct PostgresDialogue: StartingTLS {
    let known = StartTLS.postgres
    private var hasAsked = false

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard hasAsked else {
            hasAsked = true
            return .says([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
        }
        try refuseTLS(input)
        guard let answer = input.rest.first else { return .waits }
        switch answer {
        case UInt8(ascii: "S"):
            _ = input.take(1)
            return .ready()
        case UInt8(ascii: "N"): throw notOffered
        case UInt8(ascii: "E"):
            guard let error = try PostgresError(input.rest.dropFirst(), of: self) else { return .waits }
            throw refusal(error.words, of: error.subject, isTemporary: error.isTemporary)
        default: throw otherProtocol(String(decoding: input.rest, as: UTF8.self))
        }
    }
}

/// An error of PostgreSQL's: fields after a length, or in the form of protocol 2 one text that a zero ends, which a server
/// also sends when it can't start a process for the connection (libpq's fe-connect.c reads both).
private struct PostgresError {
    /// The severity, the SQLSTATE and the message.
    let words: String
    let subject: RefusedSubject
    /// True if the same connection may be accepted later.
    let isTemporary: Bool

    /// Reads the bytes after the type; nil if they are not complete yet.
    init?(_ bytes: ArraySlice<UInt8>, of dialogue: PostgresDialogue) throws(HandshakeFailure) {
        let header = bytes.prefix(4)
        guard header.count == 4 else { return nil }
        // A text begins with a letter, and a length of this size with a zero.
        guard header.first == 0 else {
            guard let end = bytes.firstIndex(of: 0) else {
                guard bytes.count <= DialogueLimits.message else {
                    throw dialogue.violation("its error has more than \(DialogueLimits.message) bytes")
                }
                return nil
            }
            var text = String(decoding: bytes[..<end], as: UTF8.self)
            while text.last?.isNewline ?? false { text.removeLast() }
            words = text
            subject = .client
            isTemporary = words.hasPrefix("could not fork")
            return
        }
        let length = header.reduce(0) { $0 << 8 | Int($1) }
        guard (8...DialogueLimits.message).contains(length) else {
            throw dialogue.violation("its error has \(length) bytes")
        }
        let body = bytes.dropFirst(4).prefix(length - 4)
        guard body.count == length - 4 else { return nil }
        let fields = body.split(separator: 0)
        func field(_ type: Unicode.Scalar) -> String? {
            fields.first { $0.first == UInt8(ascii: type) }.map { String(decoding: $0.dropFirst(), as: UTF8.self) }
        }
        let code = field("C")
        let kind = [field("S"), code].compactMap { $0 }.joined(separator: " ")
        words = [kind, field("M") ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        subject = code == Self.unsupported ? .tls : .client
        isTemporary = code.map(Self.passing.contains) ?? false
    }

    /// The SQLSTATE of a server that does not know the number of the SSLRequest, as of one of another protocol.
    private static let unsupported = "0A000"

    /// The SQLSTATEs of a server without memory or a connection to spare, and of one that is starting or stopping
    /// (PostgreSQL's appendix "Error Codes", classes 53 and 57).
    private static let passing: Set = ["53200", "53300", "57P01", "57P02", "57P03"]
}
