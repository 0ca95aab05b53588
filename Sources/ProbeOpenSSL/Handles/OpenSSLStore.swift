import CProbeOpenSSL
package import ProbeKit

/// Sole owner of an `X509_STORE` that holds anchors and their revocation lists, and never changes after `init`.
///
/// `@unchecked Sendable`: verification only reads the store, under the store's own lock (X509_STORE_lock). libcurl before 8.4
/// sets its flags on whatever store it finds in a context, on several threads and without a lock; they are set here already,
/// so that it writes what is there.
@safe package final class OpenSSLStore: @unchecked Sendable {
    package let pointer: OpaquePointer
    /// The number of anchors that OpenSSL could not read, and that are therefore missing.
    package let skipped: Int

    /// Loads anchors; those that OpenSSL can't read are left out and counted, since nothing can chain to them here.
    package init(_ anchors: TrustAnchors) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let store = unsafe X509_STORE_new() else { throw OpenSSLError.take("X509_STORE_new") }
        unsafe pointer = store
        skipped = anchors.certificates.count { der in
            guard let certificate = try? OpenSSLCertificate(der: der) else { return true }
            return unsafe X509_STORE_add_cert(store, certificate.pointer) != 1
        }
        // For every verification here: any given anchor is accepted as one, and preferred to what the server sends. From 8.4 on
        // libcurl sets them on a store of its own, which is not used (lib/vtls/openssl.c).
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST))
        // From here on `deinit` frees the store, an error of these included.
        try unsafe Self.add(anchors.revocationLists, to: store)
        OpenSSLError.clear()
    }

    /// Adds revocation lists, and has every certificate checked by them. A certificate without a list is accepted by
    /// ``OpenSSLErrorCollector``: lists judge only the certificates they cover.
    private static func add(_ lists: [[UInt8]], to store: OpaquePointer) throws(OpenSSLError) {
        guard !lists.isEmpty else { return }
        for der in lists {
            let list = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                return unsafe d2i_X509_CRL(nil, &cursor, bytes.count)
            }
            guard let list = unsafe list else { throw OpenSSLError.take("reading a revocation list") }
            defer { unsafe X509_CRL_free(list) }
            guard unsafe X509_STORE_add_crl(store, list) == 1 else { throw OpenSSLError.take("X509_STORE_add_crl") }
        }
        unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL))
    }

    /// Returns a problem as one with this store.
    package func explain(_ problem: TrustReading.Problem) -> TrustReading.Problem {
        problem.amongUnreadable(anchors: skipped)
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }
}
