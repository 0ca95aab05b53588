import ProbeKit

/// LDAP's StartTLS extended operation (RFC 4511 section 4.14).
struct LDAPDialogue: StartingTLS {
    let known = StartTLS.ldap
    private var hasAsked = false

    /// ExtendedRequest with the message identifier 1 and the name 1.3.6.1.4.1.1466.20037.
    private static let request: [UInt8] =
        [0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16] + Array("1.3.6.1.4.1.1466.20037".utf8)

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard hasAsked else {
            hasAsked = true
            return .says(Self.request)
        }
        try refuseTLS(input)
        guard let first = input.rest.first else { return .waits }
        guard first == 0x30 else { throw otherProtocol(String(decoding: input.rest, as: UTF8.self)) }
        guard let size = try messageSize(input.rest) else { return .waits }
        guard let message = input.take(size) else { return .waits }
        var fields = BERFields(message)
        guard var content = fields.next(0x30).map(BERFields.init), content.next(0x02) == [1],
            var response = content.next(0x78).map(BERFields.init), let code = response.next(0x0a)
        else { throw violation("its message is not the response to StartTLS") }
        guard code == [0] else {
            _ = response.next(0x04)
            let words = response.next(0x04).map { String(decoding: $0, as: UTF8.self) } ?? ""
            throw refusal("result \(code.map { "\($0)" }.joined()) \(words)")
        }
        return .ready()
    }

    /// Returns the size of the whole message; nil if its length is not there yet.
    private func messageSize(_ bytes: ArraySlice<UInt8>) throws(HandshakeFailure) -> Int? {
        guard let length = BERFields.length(bytes.dropFirst()) else {
            guard bytes.count < 6 else { throw violation("its message has no usable length") }
            return nil
        }
        let size = 1 + length.bytes + length.value
        guard size <= DialogueLimits.message else {
            throw violation("its message has more than \(DialogueLimits.message) bytes")
        }
        return size
    }
}

/// The fields of a constructed value in BER, of definite lengths (RFC 4511 section 5.1).
struct BERFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Takes the content of the next field; nil if it is not of this tag, or not whole.
    mutating func next(_ tag: UInt8) -> [UInt8]? {
        guard rest.first == tag, let length = Self.length(rest.dropFirst()) else { return nil }
        let content = rest.dropFirst(1 + length.bytes)
        guard content.count >= length.value else { return nil }
        rest = content.dropFirst(length.value)
        return Array(content.prefix(length.value))
    }

    /// Reads a length of one to five bytes; nil if there are too few bytes.
    static func length(_ bytes: ArraySlice<UInt8>) -> (bytes: Int, value: Int)? {
        guard let first = bytes.first else { return nil }
        guard first & 0x80 != 0 else { return (1, Int(first)) }
        let count = Int(first & 0x7f)
        guard (1...4).contains(count), bytes.count > count else { return nil }
        return (1 + count, bytes.dropFirst().prefix(count).reduce(0) { $0 << 8 | Int($1) })
    }
}

/// PostgreSQL's SSLRequest, answered by one byte.
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
        case UInt8(ascii: "E"): throw refusal(String(decoding: input.rest.dropFirst(), as: UTF8.self))
        default: throw otherProtocol(String(decoding: input.rest, as: UTF8.self))
        }
    }
}

/// The SSL request of MySQL and MariaDB, after the server's first packet.
struct MySQLDialogue: StartingTLS {
    let known = StartTLS.mysql

    /// CLIENT_SSL among the server's capabilities.
    private static let ssl: UInt8 = 0x08
    /// 32 bytes with the sequence number 1: the capabilities of protocol 4.1 with SSL, the largest packet, UTF-8.
    private static let request: [UInt8] =
        [32, 0, 0, 1, 0x01, 0x8a, 0x08, 0x00, 0, 0, 0, 1, 33] + [UInt8](repeating: 0, count: 23)

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        try refuseTLS(input)
        let header = Array(input.rest.prefix(4))
        guard header.count == 4 else { return .waits }
        let size = Int(header[0]) | Int(header[1]) << 8 | Int(header[2]) << 16
        guard size <= DialogueLimits.message, header[3] == 0 else {
            throw otherProtocol(String(decoding: input.rest, as: UTF8.self))
        }
        guard let packet = input.take(4 + size) else { return .waits }
        let payload = packet.dropFirst(4)
        if payload.first == 0xff { throw refusal(String(decoding: payload.dropFirst(3), as: UTF8.self)) }
        guard payload.first == 10, let end = payload.firstIndex(of: 0) else {
            throw violation("its first packet is not that of protocol 10")
        }
        // After the version: a thread's number, 8 bytes for the password, a zero, and the lower capabilities.
        let capabilities = payload.dropFirst(end + 1 - payload.startIndex + 13).prefix(2)
        guard capabilities.count == 2, let upper = capabilities.last else {
            throw violation("its first packet is short")
        }
        guard upper & Self.ssl != 0 else { throw notOffered }
        return .ready(sending: Self.request)
    }
}

/// The negotiation of RDP's security (MS-RDPBCGR section 2.2.1.1).
struct RDPDialogue: StartingTLS {
    let known = StartTLS.rdp
    private var hasAsked = false

    /// A connection request that offers TLS, alone and below CredSSP.
    private static let request: [UInt8] = [
        3, 0, 0, 19, 14, 0xe0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 3, 0, 0, 0,
    ]

    mutating func advance(_ input: inout DialogueInput) throws(HandshakeFailure) -> DialogueTurn {
        guard hasAsked else {
            hasAsked = true
            return .says(Self.request)
        }
        try refuseTLS(input)
        guard let first = input.rest.first else { return .waits }
        guard first == 3 else { throw otherProtocol(String(decoding: input.rest, as: UTF8.self)) }
        let header = Array(input.rest.prefix(4))
        guard header.count == 4 else { return .waits }
        let size = Int(header[2]) << 8 | Int(header[3])
        guard (11...DialogueLimits.message).contains(size) else { throw violation("its message has \(size) bytes") }
        guard let message = input.take(size) else { return .waits }
        guard message[5] == 0xd0 else { throw violation("its message does not confirm the connection") }
        // Without a negotiation it is the older security, which is not TLS.
        guard size >= 19 else { throw notOffered }
        switch message[11] {
        case 2 where message[15] & 0x0b != 0: return .ready()
        case 2: throw notOffered
        case 3: throw refusal("failure code \(message[15])")
        default: throw violation("it negotiates with a message of type \(message[11])")
        }
    }
}
