import CNIOBoringSSL
import ProbeKit

/// Sole owner of an `X509_STORE` that holds anchors and never changes after `init`.
///
/// `@unchecked Sendable`: verification only reads the store, and BoringSSL's lookups take the store's own lock.
@safe final class BoringSSLStore: @unchecked Sendable {
    let pointer: OpaquePointer
    /// How many anchors BoringSSL could not read, and that are therefore missing.
    let skipped: Int

    /// Loads anchors; the ones BoringSSL can't read are left out and counted, nothing can chain to them here.
    init(_ anchors: TrustAnchors) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let store = unsafe X509_STORE_new() else { throw BoringSSLError.take("X509_STORE_new") }
        unsafe pointer = store
        skipped = anchors.certificates.count { der in
            guard let certificate = try? BoringSSLCertificate(der: der) else { return true }
            return unsafe X509_STORE_add_cert(store, certificate.pointer) != 1
        }
        BoringSSLError.clear()
    }

    /// A problem with this store in its words: an issuer may be unknown because its anchor could not be read.
    func explain(_ problem: TrustReading.Problem) -> TrustReading.Problem {
        guard skipped > 0, problem.cause == .unknownIssuer || problem.cause == .selfSigned else { return problem }
        return .init(
            problem.cause, problem.message + " (\(skipped) of the anchors could not be read)",
            nativeCode: problem.nativeCode, depth: problem.depth)
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }
}
