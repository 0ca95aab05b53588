import CNIOBoringSSL
import ProbeKit

/// Sole owner of an `X509_STORE` that holds anchors and never changes after `init`.
///
/// `@unchecked Sendable`: verification only reads the store, and BoringSSL's lookups take the store's own lock.
@safe final class BoringSSLStore: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Loads anchors; one that BoringSSL can't read is left out, nothing can chain to it here.
    init(_ anchors: TrustAnchors) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let store = unsafe X509_STORE_new() else { throw BoringSSLError.take("X509_STORE_new") }
        unsafe pointer = store
        for der in anchors.certificates {
            guard let certificate = try? BoringSSLCertificate(der: der) else { continue }
            unsafe X509_STORE_add_cert(store, certificate.pointer)
        }
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }
}
