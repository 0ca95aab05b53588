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
        guard var content = fields.next(0x30).map(BERFields.init), let identifier = content.next(0x02),
            identifier == [1] || identifier == [0], var response = content.next(0x78).map(BERFields.init),
            let code = response.next(0x0a)
        else { throw violation("its message is not the response to StartTLS") }
        // The identifier 0 is that of the notice that ends a connection, whatever was asked (RFC 4511 section 4.4.1).
        let isNotice = identifier == [0]
        if code == [0], !isNotice { return .ready() }
        _ = response.next(0x04)
        throw refusal(code, response.next(0x04) ?? [], of: isNotice ? .client : .tls)
    }

    /// Returns the failure of a result code and its diagnostic message. A server that is busy may take the same request later,
    /// and so may one that ends all connections as unavailable (RFC 4511 appendix A.2); Active Directory says
    /// "unavailable" of StartTLS alone where it has no certificate, which does not pass.
    private func refusal(_ code: [UInt8], _ words: [UInt8], of subject: RefusedSubject) -> HandshakeFailure {
        let number = code.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let name = Self.names[number].map { " (\($0))" } ?? ""
        // Active Directory ends its texts with a zero.
        let text = String(decoding: words.filter { $0 != 0 }, as: UTF8.self)
        return refusal(
            "result \(number)\(name)\(text.isEmpty ? "" : ": \(text)")", of: subject,
            isTemporary: number == 51 || number == 52 && subject == .client)
    }

    /// The names of the results that StartTLS may well end with (RFC 4511 sections 4.1.9 and 4.14.1).
    private static let names = [
        1: "operationsError", 2: "protocolError", 8: "strongerAuthRequired", 10: "referral", 51: "busy",
        52: "unavailable", 53: "unwillingToPerform",
    ]

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
