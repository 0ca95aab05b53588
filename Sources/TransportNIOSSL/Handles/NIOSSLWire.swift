import ProbeKit

/// Lists in the presentation language of TLS (RFC 8446 section 3.4) that BoringSSL returns unparsed. A list that is
/// shorter than its length ends where it breaks off.
enum NIOSSLWire {
    /// Returns the certificates of a Certificate message's body: RFC 5246 section 7.4.2, or RFC 8446 section 4.4.2
    /// where each has extensions of its own.
    static func certificates(in body: [UInt8], hasExtensions: Bool) -> [[UInt8]] {
        var rest = OctetReader(body[...])
        if hasExtensions, rest.vector(1) == nil { return [] }
        guard var entries = rest.vector(3).map({ OctetReader($0) }) else { return [] }
        var found: [[UInt8]] = []
        while let certificate = entries.vector(3), !certificate.isEmpty {
            found.append(Array(certificate))
            if hasExtensions, entries.vector(2) == nil { break }
        }
        return found
    }

    /// Returns the SCTs of a SignedCertificateTimestampList (RFC 6962 section 3.3), its length included.
    static func timestamps(in list: [UInt8]) -> [[UInt8]] {
        var rest = OctetReader(list[...])
        guard var timestamps = rest.vector(2).map({ OctetReader($0) }) else { return [] }
        var found: [[UInt8]] = []
        while let timestamp = timestamps.vector(2) { found.append(Array(timestamp)) }
        return found
    }
}
