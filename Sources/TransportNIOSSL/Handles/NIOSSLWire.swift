/// Lists in the presentation language of TLS (RFC 8446 section 3.4) that BoringSSL returns unparsed. A list that is
/// shorter than its length ends where it breaks off.
enum NIOSSLWire {
    /// Returns the certificates of a Certificate message's body: RFC 5246 section 7.4.2, or RFC 8446 section 4.4.2
    /// where each has extensions of its own.
    static func certificates(in body: [UInt8], hasExtensions: Bool) -> [[UInt8]] {
        var rest = body[...]
        if hasExtensions, take(&rest, lengthBytes: 1) == nil { return [] }
        guard var entries = take(&rest, lengthBytes: 3) else { return [] }
        var found: [[UInt8]] = []
        while let certificate = take(&entries, lengthBytes: 3), !certificate.isEmpty {
            found.append(Array(certificate))
            if hasExtensions, take(&entries, lengthBytes: 2) == nil { break }
        }
        return found
    }

    /// Returns the SCTs of a SignedCertificateTimestampList (RFC 6962 section 3.3), its length included.
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
