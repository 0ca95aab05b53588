import ProbePlatform

/// An IPv4 or IPv6 address in network byte order: 4 or 16 bytes.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in network byte order; its count is 4 (IPv4) or 16 (IPv6).
    public let bytes: [UInt8]

    /// Creates an address of 4 or 16 bytes; nil for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the textual form of RFC 4291 section 2.2 or dotted decimal, nothing else: no port, no brackets, no zone.
    public init?(_ text: String) {
        // C would stop reading at a NUL.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            bytes = unsafe withUnsafeBytes(of: &v4) { unsafe Array($0) }
            return
        }
        var v6 = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        bytes = unsafe withUnsafeBytes(of: &v6) { unsafe Array($0) }
    }

    private init(known bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// 127.0.0.1.
    public static let loopback4 = IPAddress(known: [127, 0, 0, 1])
    /// ::1.
    public static let loopback6 = IPAddress(known: [UInt8](repeating: 0, count: 15) + [1])

    /// True for an IPv6 address.
    public var isIPv6: Bool { bytes.count == 16 }

    /// True if the address is 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        isIPv6 ? self == .loopback6 : bytes[0] == 127
    }

    /// True for 0.0.0.0 and ::, also where the former is mapped to IPv6.
    package var isUnspecified: Bool { (mapped ?? self).bytes.allSatisfy { $0 == 0 } }

    /// The loopback address of the same family.
    package var loopback: IPAddress { (mapped ?? self).isIPv6 ? .loopback6 : .loopback4 }

    /// True if the address is only valid on one link, which a zone has to identify: fe80::/10 (RFC 4291 section 2.5.6).
    var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }

    /// The IPv4 address mapped to this IPv6 address (RFC 4291 section 2.5.5.2); nil for any other.
    package var mapped: IPAddress? {
        let prefix = [UInt8](repeating: 0, count: 10) + [0xff, 0xff]
        return isIPv6 && bytes.starts(with: prefix) ? IPAddress(known: Array(bytes.suffix(4))) : nil
    }

    /// The shortest textual form, as `inet_ntop` writes it.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isIPv6 ? AF_INET6 : AF_INET
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "invalid address" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
