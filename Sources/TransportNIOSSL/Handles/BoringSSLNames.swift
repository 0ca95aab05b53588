import CNIOBoringSSL
import CNIOBoringSSLShims

/// A certificate's names, as BoringSSL reads them.
struct BoringSSLNames {
    /// One subject alternative name; for kinds that name no server, only its presence is known.
    enum Alternative {
        case dns([UInt8])
        case address([UInt8])
        case other
    }

    /// The subject alternative names in their order; none if the extension can't be read.
    let alternatives: [Alternative]
    /// The last common name as UTF-8.
    let commonName: [UInt8]?

    init(_ certificate: BoringSSLCertificate) {
        alternatives = Self.alternatives(of: certificate)
        commonName = Self.commonName(of: certificate)
    }

    private static func alternatives(of certificate: BoringSSLCertificate) -> [Alternative] {
        guard let data = unsafe X509_get_ext_d2i(certificate.pointer, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(data)
        defer { unsafe GENERAL_NAMES_free(names) }
        let count = unsafe CNIOBoringSSLShims_sk_GENERAL_NAME_num(names)
        return (0..<count).map { index in
            guard let name = unsafe CNIOBoringSSLShims_sk_GENERAL_NAME_value(names, index) else { return .other }
            return switch unsafe name.pointee.type {
            case GEN_DNS: .dns(unsafe bytes(of: name.pointee.d.ia5))
            case GEN_IPADD: .address(unsafe bytes(of: name.pointee.d.ia5))
            default: .other
            }
        }
    }

    private static func bytes(of string: UnsafeMutablePointer<ASN1_IA5STRING>?) -> [UInt8] {
        unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(max(0, ASN1_STRING_length(string)))))
    }

    private static func commonName(of certificate: BoringSSLCertificate) -> [UInt8]? {
        guard let subject = unsafe X509_get_subject_name(certificate.pointer) else { return nil }
        var last: CInt = -1
        var next = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        while next >= 0 {
            last = next
            next = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, last)
        }
        guard last >= 0, let entry = unsafe X509_NAME_get_entry(subject, last),
            let data = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let length = unsafe ASN1_STRING_to_UTF8(&bytes, data)
        guard length >= 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe OPENSSL_free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
}
