import ProbeKit

/// Lists in the presentation language of TLS (RFC 8446 section 3.4) that BoringSSL returns unparsed.
enum NIOSSLWire {
    /// Returns the SCTs of a SignedCertificateTimestampList (RFC 6962 section 3.3), its length included. A list that is
    /// shorter than its length ends where it breaks off: each SCT is judged by itself.
    static func timestamps(in list: [UInt8]) -> [[UInt8]] {
        var rest = OctetReader(list[...])
        guard var timestamps = rest.vector(2).map({ OctetReader($0) }) else { return [] }
        var found: [[UInt8]] = []
        while let timestamp = timestamps.vector(2) { found.append(Array(timestamp)) }
        return found
    }
}
