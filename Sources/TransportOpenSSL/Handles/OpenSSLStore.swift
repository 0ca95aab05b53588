import CProbeOpenSSL
package import ProbeKit

/// Sole owner of an `X509_STORE` that holds anchors and never changes after `init`.
///
/// `@unchecked Sendable`: verification only reads the store, under the store's own lock (X509_STORE_lock).
@safe package final class OpenSSLStore: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// Loads anchors; one that OpenSSL can't read is left out, nothing can chain to it here.
    package init(_ anchors: TrustAnchors) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let store = unsafe X509_STORE_new() else { throw OpenSSLError.take("X509_STORE_new") }
        unsafe pointer = store
        for der in anchors.certificates {
            guard let certificate = try? OpenSSLCertificate(der: der) else { continue }
            unsafe X509_STORE_add_cert(store, certificate.pointer)
        }
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }
}
