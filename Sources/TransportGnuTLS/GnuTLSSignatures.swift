import CProbeGnuTLS
public import ProbeKit
public import ProbeSignatures

/// GnuTLS as a validator of CMS signatures: `gnutls_pkcs7_verify_direct` for the signature, a trust list for the signer's
/// chain. `gnutls_pkcs7_verify` does both, but looks for issuers among the anchors by name alone.
public struct GnuTLSSignatures: CMSStack {
    private let anchors = GnuTLSAnchors()

    /// Creates a validator; all of its copies share their loaded anchors.
    public init() {}

    /// GnuTLS, with the loaded version of the library.
    public var identity: BackendIdentity { GnuTLSLibrary.identity }
    /// `gnutls`.
    public var name: String { GnuTLSLibrary.name }
    /// The absence of libgnutls.
    public var absence: BackendAbsence? { GnuTLSLibrary.absence }

    /// Returns the result of GnuTLS' own verification of the signature.
    public func verify(_ message: [UInt8], over content: [UInt8]) async -> CMSVerification {
        if let absence { return .refused(SignatureProblem(.unsupported, absence.description)) }
        guard !content.isEmpty, UInt32(exactly: content.count) != nil else {
            return .refused(
                SignatureProblem(.unsupported, "GnuTLS can't verify a signature over \(content.count) bytes"))
        }
        let parsed: GnuTLSPKCS7
        do throws(GnuTLSErrorCode) {
            parsed = try GnuTLSPKCS7(der: message)
        } catch {
            return .refused(SignatureProblem(.malformed, error.message, nativeCode: error.name))
        }
        do throws(GnuTLSErrorCode) {
            guard parsed.signatureCount == 1 else {
                return .refused(
                    SignatureProblem(
                        .readingsDisagree, "GnuTLS finds \(parsed.signatureCount) signatures in the message"))
            }
            let name = try parsed.signerName()
            guard let certificate = parsed.certificates.first(where: { $0.isNamed(by: name) }) else {
                return .refused(SignatureProblem(.noCertificate, "GnuTLS does not find the signing certificate"))
            }
            // GnuTLS computes with keys of any size.
            guard !certificate.hasOversizedKey else {
                return .refused(SignatureProblem(.tooComplex, "the key is larger than any signature is verified under"))
            }
            try parsed.verify(over: content, with: certificate)
            return .verified(certificate: certificate.der)
        } catch {
            return .refused(error.signatureProblem)
        }
    }

    /// Returns GnuTLS' own trust decision on a signer's chain.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        if let absence { return .unanswered(absence.description) }
        return GnuTLSTrust.evaluate(question, chain: GnuTLSCertificates(question.chain), anchors: anchors)
    }
}

extension GnuTLSErrorCode {
    /// The problem of a signature that GnuTLS rejected with this error.
    fileprivate var signatureProblem: SignatureProblem {
        let cause: SignatureProblem.Cause =
            switch rawValue {
            case GNUTLS_E_PK_SIG_VERIFY_FAILED, GNUTLS_E_CONSTRAINT_ERROR: .badSignature
            case GNUTLS_E_INSUFFICIENT_SECURITY: .weakDigest
            case GNUTLS_E_UNKNOWN_ALGORITHM, GNUTLS_E_UNSUPPORTED_SIGNATURE_ALGORITHM, GNUTLS_E_UNKNOWN_PK_ALGORITHM,
                GNUTLS_E_UNKNOWN_HASH_ALGORITHM:
                .unsupported
            case GNUTLS_E_NO_EMBEDDED_DATA: .contentMismatch
            case GNUTLS_E_MEMORY_ERROR: .other
            default: .badSignature
            }
        return SignatureProblem(cause, message, nativeCode: name)
    }
}
