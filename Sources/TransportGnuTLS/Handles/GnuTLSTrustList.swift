import CProbeGnuTLS
import ProbeKit

/// Owns a `gnutls_x509_trust_list_t`.
///
/// Sendable because nothing changes it after `init`: every method reads, and GnuTLS documents read-only use of one
/// object from several threads as safe (manual, "Thread safety"). Every threaded server uses the list inside its
/// credentials in the same way. The functions that would keep a certificate in the list are called with
/// `GNUTLS_TL_GET_COPY`.
@safe final class GnuTLSTrustList: @unchecked Sendable {
    /// The number of anchors that GnuTLS could not read, and that are therefore missing.
    let skipped: Int
    let pointer: gnutls_x509_trust_list_t
    private let anchors: Set<ByteKey>

    /// Loads anchors, of which those that GnuTLS can't parse are left out and counted, and revocation lists.
    ///
    /// GnuTLS looks a certificate up in the lists with its issuer's name. It neither checks their signatures nor their
    /// dates, as in its own clients.
    init(_ certificates: [[UInt8]], revocationLists: [[UInt8]] = []) throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_x509_trust_list_init(&$0, 0) }
        unsafe self.pointer = pointer
        // Of several anchors with one name GnuTLS takes one by its place (find_issuer in verify.c).
        var seen: Set<[UInt8]> = []
        let distinct = certificates.filter { seen.insert($0).inserted }
        let loaded = distinct.filter { certificate in
            unsafe certificate.withDatum {
                unsafe gnutls_x509_trust_list_add_trust_mem(pointer, $0, nil, GNUTLS_X509_FMT_DER, 0, 0) == 1
            }
        }
        anchors = Set(loaded.map(ByteKey.init))
        skipped = distinct.count - loaded.count
        // From here on `deinit` frees the list, an error of these included.
        for list in revocationLists { try unsafe Self.add(list, to: pointer) }
    }

    private static func add(_ list: [UInt8], to pointer: gnutls_x509_trust_list_t) throws(GnuTLSErrorCode) {
        var crl: gnutls_x509_crl_t? = try unsafe GnuTLSErrorCode.made { unsafe gnutls_x509_crl_init(&$0) }
        var result = unsafe list.withDatum { unsafe gnutls_x509_crl_import(crl, $0, GNUTLS_X509_FMT_DER) }
        if result >= 0 {
            result = unsafe gnutls_x509_trust_list_add_crls(pointer, &crl, 1, 0, 0)
            // The trust list owns the certificates it took.
            if result == 1 { return }
        }
        unsafe gnutls_x509_crl_deinit(crl)
        try GnuTLSErrorCode.check(result)
        throw GnuTLSErrorCode(rawValue: GNUTLS_E_INVALID_REQUEST)
    }

    deinit { unsafe gnutls_x509_trust_list_deinit(pointer, 1) }

    /// Returns true if the certificate is itself an anchor.
    func contains(_ certificate: GnuTLSCertificate) -> Bool { anchors.contains(ByteKey(certificate.der)) }

    /// Returns the anchor that issued a certificate, going by names and key identifiers.
    func issuer(of certificate: GnuTLSCertificate) -> GnuTLSCertificate? {
        var issuer: gnutls_x509_crt_t?
        let result = unsafe gnutls_x509_trust_list_get_issuer(
            pointer, certificate.pointer, &issuer, UInt32(GNUTLS_TL_GET_COPY))
        guard result == 0, let issuer = unsafe issuer else { return nil }
        return unsafe GnuTLSCertificate(takingOwnershipOf: issuer)
    }

    /// Verifies a chain, leaf first, against the anchors, a name and a purpose. The name and the purpose of the leaf
    /// are judged even if the chain is refused; the chain itself only down to the first certificate with a problem.
    func verify(
        _ chain: [GnuTLSCertificate], name: ServerName?, purpose: String?, flags: UInt32,
        in verification: GnuTLSVerification
    ) throws(GnuTLSErrorCode) -> GnuTLSStatus {
        var list: [gnutls_x509_crt_t?] = unsafe chain.map { unsafe $0.pointer }
        var status: UInt32 = 0
        var data = GnuTLSTypedData(name: name, purpose: purpose)
        let result = verification.run {
            unsafe data.withElements { elements, count in
                unsafe gnutls_x509_trust_list_verify_crt2(
                    pointer, &list, UInt32(list.count), elements, count, flags, &status,
                    GnuTLSVerification.recordStep)
            }
        }
        try GnuTLSErrorCode.check(result)
        return GnuTLSStatus(rawValue: status)
    }
}

/// The inputs of a verification beside the chain: the name and the purpose, as `gnutls_typed_vdata_st`.
struct GnuTLSTypedData {
    private var bytes: [UInt8] = []
    private var elements: [(type: gnutls_vdata_types_t, range: Range<Int>)] = []

    /// Creates the data for a name and a purpose, as far as there are any.
    init(name: ServerName?, purpose: String?) {
        switch name {
        case .dns(let name): append(GNUTLS_DT_DNS_HOSTNAME, Array(name.utf8))
        case .ip(let address): append(GNUTLS_DT_IP_ADDRESS, address.bytes)
        case nil: break
        }
        if let purpose { append(GNUTLS_DT_KEY_PURPOSE_OID, Array(purpose.utf8)) }
    }

    /// Appends a value and a zero, since GnuTLS reads names and purposes as C strings.
    private mutating func append(_ type: gnutls_vdata_types_t, _ value: [UInt8]) {
        elements.append((type, bytes.count..<bytes.count + value.count))
        bytes += value + [0]
    }

    /// Lends the elements to C for the duration of the call.
    mutating func withElements(_ body: (UnsafeMutablePointer<gnutls_typed_vdata_st>?, UInt32) -> CInt) -> CInt {
        unsafe bytes.withUnsafeMutableBufferPointer { [elements] bytes in
            var data = unsafe elements.map { element in
                unsafe gnutls_typed_vdata_st(
                    type: element.type, data: bytes.baseAddress.map { unsafe $0 + element.range.lowerBound },
                    size: UInt32(element.range.count))
            }
            return unsafe body(&data, UInt32(data.count))
        }
    }
}
