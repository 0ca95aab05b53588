import CProbeOpenSSL
import ProbeKit
import ProbeOpenSSL
import ProbePlatform

/// libcurl's comparison of a certificate with a name, when built with OpenSSL: subjectAltName if it has a DNS name or
/// an address, else the last common name.
enum CurlNameRule {
    static func accepts(_ leaf: OpenSSLCertificate, for name: ServerName) -> Bool {
        var hasAlternatives = false
        for alternative in alternatives(of: leaf) {
            hasAlternatives = true
            switch (alternative, name) {
            case (.dns(let pattern), .dns(let host)) where matches(pattern, host): return true
            case (.address(let bytes), .ip(let address)) where bytes == address.bytes: return true
            default: continue
            }
        }
        guard !hasAlternatives, let commonName = commonName(of: leaf) else { return false }
        return matches(commonName, name.description)
    }

    /// Compares ignoring case. A wildcard matches the whole leftmost label, and two more have to follow it.
    static func matches(_ pattern: [UInt8], _ host: String) -> Bool {
        let pattern = pattern.last == UInt8(ascii: ".") ? Array(pattern.dropLast()) : pattern
        let host = Array(host.utf8)
        guard pattern.starts(with: "*.".utf8) else { return isSame(pattern[...], host[...]) }
        guard IPAddress(String(decoding: host, as: UTF8.self)) == nil else { return false }
        guard pattern.dropFirst(2).contains(UInt8(ascii: ".")) else { return isSame(pattern[...], host[...]) }
        guard let dot = host.firstIndex(of: UInt8(ascii: ".")) else { return false }
        return isSame(pattern.dropFirst(), host[dot...])
    }

    private enum Alternative {
        case dns([UInt8])
        case address([UInt8])
    }

    /// Returns the DNS names and addresses; a DNS name with a NUL in it is there, but matches nothing.
    private static func alternatives(of leaf: OpenSSLCertificate) -> [Alternative] {
        guard let names = unsafe cprobe_alternative_names(leaf.pointer) else { return [] }
        defer { unsafe GENERAL_NAMES_free(names) }
        let count = unsafe cprobe_names_count(names)
        return (0..<count).compactMap { index in
            var (type, length): (CInt, CInt) = (0, 0)
            guard let start = unsafe cprobe_name_bytes(names, index, &type, &length) else { return nil }
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: Int(length)))
            guard type == GEN_DNS else { return .address(bytes) }
            return .dns(bytes.contains(0) ? [] : bytes)
        }
    }

    /// Returns the last common name as UTF-8; nil if there is none, or it contains a NUL.
    private static func commonName(of leaf: OpenSSLCertificate) -> [UInt8]? {
        guard let subject = unsafe X509_get_subject_name(leaf.pointer) else { return nil }
        var last: CInt = -1
        var next = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        while next >= 0 {
            last = next
            next = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, last)
        }
        guard last >= 0, let entry = unsafe X509_NAME_get_entry(subject, last) else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(entry))
        guard length >= 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe cprobe_free(bytes) }
        let name = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
        return name.contains(0) ? nil : name
    }

    private static func isSame(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
