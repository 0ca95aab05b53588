/// Lists of the TLS presentation language (RFC 8446 section 3.4) that BoringSSL hands out unread. A list that does not
/// end where it says ends where it breaks.
enum NIOSSLWire {
    /// The SCTs of a SignedCertificateTimestampList (RFC 6962 section 3.3), its length included.
    static func timestamps(in list: [UInt8]) -> [[UInt8]] {
        var rest = list[...]
        guard var timestamps = take(&rest, lengthBytes: 2) else { return [] }
        var found: [[UInt8]] = []
        while let timestamp = take(&timestamps, lengthBytes: 2) { found.append(Array(timestamp)) }
        return found
    }

    /// Takes one vector off the front: its length in big-endian bytes, then so many bytes.
    private static func take(_ bytes: inout ArraySlice<UInt8>, lengthBytes: Int) -> ArraySlice<UInt8>? {
        guard bytes.count >= lengthBytes else { return nil }
        let length = bytes.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - lengthBytes >= length else { return nil }
        bytes = bytes.dropFirst(lengthBytes)
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
