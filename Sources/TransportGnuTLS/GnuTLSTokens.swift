import CProbeGnuTLS
public import ProbeKit

/// Opens client identities in PKCS #11 tokens with GnuTLS, whose transport signs with their keys.
public struct GnuTLSTokens: ClientIdentity.TokenReader {
    /// The longest chain that a token is asked for.
    private static let longestChain = 8

    /// Creates a reader; it loads nothing before it is asked.
    public init() {}

    /// Returns the identity of a key in a token.
    public func identity(
        certificate: Secret?, object: String?, key: String, modules: [String], pin: Secret?
    ) throws(ClientIdentity.Problem) -> ClientIdentity {
        if let absence = GnuTLSLibrary.absence { throw .noReader(absence) }
        var chain = try certificate.map { file throws(ClientIdentity.Problem) in try Self.certificates(file) }
        try GnuTLSModules.load(modules)
        for uri in [key, object].compactMap(\.self) { try GnuTLSModules.checkToken(of: uri) }
        let pin = GnuTLSPIN(pin)
        let token: GnuTLSTokenKey
        do throws(GnuTLSErrorCode) {
            token = try GnuTLSTokenKey(key, pin: pin)
        } catch {
            throw Self.problem(error, pin) { .noKey($0) }
        }
        // The certificate comes after the key, which has unlocked the token.
        if let object {
            do throws(GnuTLSErrorCode) {
                chain = try Self.chain(at: object)
            } catch {
                throw Self.problem(error, pin) { .noCertificate($0) }
            }
        }
        guard let chain, let leaf = chain.first else { throw .noCertificate("it has none") }
        let isItsKey: Bool
        do throws(GnuTLSErrorCode) {
            isItsKey = try token.belongs(to: leaf)
        } catch {
            throw Self.problem(error, pin) { .noKey($0) }
        }
        guard isItsKey else { throw .keyOfAnother }
        return ClientIdentity(chain: chain.map(\.der), key: .token(token))
    }

    private static func problem(
        _ error: GnuTLSErrorCode, _ pin: GnuTLSPIN, noObject: (String) -> ClientIdentity.Problem
    ) -> ClientIdentity.Problem {
        switch error.rawValue {
        case GNUTLS_E_PKCS11_REQUESTED_OBJECT_NOT_AVAILBLE, GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE:
            noObject("the token has no such object")
        case GNUTLS_E_PKCS11_PIN_ERROR: pin.refusal()
        case GNUTLS_E_PKCS11_PIN_LOCKED: .lockedPIN
        default: .tokenFailed(error.message)
        }
    }

    /// Reads all certificates of PEM, in order.
    private static func certificates(_ file: Secret) throws(ClientIdentity.Problem) -> [GnuTLSCertificate] {
        var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
        var count: UInt32 = 0
        let result = file.withBytes { bytes in
            unsafe bytes.withDatum { unsafe gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0) }
        }
        guard result >= 0, let list = unsafe list else {
            throw .noCertificate(GnuTLSErrorCode(rawValue: result).message)
        }
        defer { unsafe cprobe_gnutls_free(list) }
        return unsafe UnsafeBufferPointer(start: list, count: Int(count)).compactMap { pointer in
            unsafe pointer.map { unsafe GnuTLSCertificate(takingOwnershipOf: $0) }
        }
    }

    /// Returns the certificate at a URI, and its issuers as far as the same token has them.
    private static func chain(at uri: String) throws(GnuTLSErrorCode) -> [GnuTLSCertificate] {
        let leaf = try unsafe GnuTLSErrorCode.made { unsafe gnutls_x509_crt_init(&$0) }
        let result = unsafe gnutls_x509_crt_import_url(leaf, uri, 0)
        guard result == 0 else {
            unsafe gnutls_x509_crt_deinit(leaf)
            throw GnuTLSErrorCode(rawValue: result)
        }
        var chain = [unsafe GnuTLSCertificate(takingOwnershipOf: leaf)]
        while let last = chain.last, !last.isSelfIssued, chain.count < longestChain {
            var datum = unsafe gnutls_datum_t()
            // An issuer of a client's certificate is nobody's anchor here, and seldom marked as one in the token.
            let flags = UInt32(GNUTLS_PKCS11_OBJ_FLAG_RETRIEVE_ANY.rawValue)
            guard
                unsafe gnutls_pkcs11_get_raw_issuer(uri, last.pointer, &datum, GNUTLS_X509_FMT_DER, flags) == 0,
                let issuer = try? GnuTLSCertificate(der: unsafe Array(takingOwnershipOf: datum)), !issuer.isSelfIssued,
                last.isIssued(by: issuer)
            else { break }
            chain.append(issuer)
        }
        return chain
    }
}
