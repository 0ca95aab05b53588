/// The twelve bytes every DNS message begins with (RFC 1035 section 4.1.1).
package struct DNSHeader: Sendable {
    /// Its size in bytes.
    package static let size = 12

    /// Returns the fault of bytes that are too few for a header.
    package static func fault(of bytes: [UInt8]) -> String { "\(bytes.count) bytes are not a DNS message" }

    package let id: UInt16
    /// QR: true if the message is a reply.
    package let isReply: Bool
    package let opcode: UInt8
    /// AA: true if the server is an authority for the name.
    package let isAuthoritative: Bool
    /// TC: true if records are missing.
    package let isTruncated: Bool
    /// RD: true if the query asked for recursion.
    package let wantsRecursion: Bool
    /// RA: true if the server offers it.
    package let offersRecursion: Bool
    /// AD: true if the server reports that it validated the answer (RFC 4035 section 3.2.3); nothing depends on it.
    package let isAuthenticated: Bool
    /// The lower four bits of the response code; an OPT record may hold the others.
    package let responseCode: DNSAttempt.ResponseCode
    /// The number of entries in the question, answer, authority and additional sections.
    package let counts: [Int]

    /// Reads the header; nil if there are fewer than twelve bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        func word(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]) }
        id = word(0)
        isReply = bytes[2] & 0x80 != 0
        opcode = bytes[2] >> 3 & 0x0f
        isAuthoritative = bytes[2] & 0x04 != 0
        isTruncated = bytes[2] & 0x02 != 0
        wantsRecursion = bytes[2] & 0x01 != 0
        offersRecursion = bytes[3] & 0x80 != 0
        isAuthenticated = bytes[3] & 0x20 != 0
        responseCode = DNSAttempt.ResponseCode(rawValue: UInt16(bytes[3] & 0x0f))
        counts = [4, 6, 8, 10].map { Int(word($0)) }
    }
}
