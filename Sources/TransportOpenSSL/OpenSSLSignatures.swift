import CProbeOpenSSL
public import ProbeKit
import ProbeOpenSSL
public import ProbeSignatures

/// OpenSSL as a validator of CMS signatures: `CMS_verify` for the signature, `X509_verify_cert` for the signer's chain.
public struct OpenSSLSignatures: CMSStack {
    private let anchors = OpenSSLAnchors()

    /// Creates a validator; all of its copies share their loaded anchors.
    public init() {}

    /// `openssl`, with the version of the loaded library.
    public var identity: BackendIdentity { OpenSSLLibrary.identity }
    /// `openssl`.
    public var name: String { OpenSSLLibrary.name }
    /// The absence of libssl or libcrypto.
    public var absence: BackendAbsence? { OpenSSLLibrary.absence }

    /// Returns the result of OpenSSL's own verification of the signature.
    public func verify(_ message: [UInt8], over content: [UInt8]) async -> CMSVerification {
        if let absence { return .refused(SignatureProblem(.unsupported, absence.description)) }
        let parsed: OpenSSLCMS
        do throws(OpenSSLError) {
            parsed = try OpenSSLCMS(der: message)
        } catch {
            return .refused(SignatureProblem(.malformed, error.message, nativeCode: error.code))
        }
        do throws(OpenSSLError) {
            try parsed.verify(over: content)
            let signers = parsed.signers
            guard let signer = signers.first, signers.count == 1 else {
                return .refused(
                    SignatureProblem(.readingsDisagree, "OpenSSL finds \(signers.count) signers in the message"))
            }
            return .verified(certificate: signer)
        } catch {
            return .refused(error.signatureProblem)
        }
    }

    /// Returns OpenSSL's own trust decision on a signer's chain.
    @concurrent public func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        if let absence { return .unanswered(absence.description) }
        return OpenSSLTrust.evaluate(question, chain: OpenSSLCertificates(question.chain), anchors: anchors)
    }
}

extension OpenSSLError {
    /// The problem of a signature that OpenSSL rejected with this error.
    fileprivate var signatureProblem: SignatureProblem {
        let cause: SignatureProblem.Cause =
            switch cmsReason {
            case CMS_R_VERIFICATION_FAILURE, CMS_R_MESSAGEDIGEST_WRONG_LENGTH: .badSignature
            case CMS_R_CONTENT_VERIFY_ERROR, CMS_R_NO_CONTENT, CMS_R_MD_BIO_INIT_ERROR: .contentMismatch
            case CMS_R_SIGNER_CERTIFICATE_NOT_FOUND: .noCertificate
            case CMS_R_NO_SIGNERS: .noSigner
            case CMS_R_UNSUPPORTED_TYPE, CMS_R_UNKNOWN_DIGEST_ALGORITHM: .unsupported
            default: .badSignature
            }
        return SignatureProblem(cause, message, nativeCode: code)
    }
}
