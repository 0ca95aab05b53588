import CProbeOpenSSL

/// Runs one `X509_verify_cert` to its end: an error is recorded, and the verification continues.
package final class OpenSSLErrorCollector {
    private var errors: [OpenSSLVerifyError] = []

    /// More errors than a normal chain can have; a hostile one must not fill memory.
    private static let maximumErrors = 64

    package init() {}

    /// Verifies the chain of an `X509_STORE_CTX`, and returns every error in the order OpenSSL found them.
    package func verify(_ context: OpaquePointer) throws(OpenSSLError) -> [OpenSSLVerifyError] {
        errors = []
        // `self` outlives the call below, the only time the callback can run.
        unsafe cprobe_store_ctx_set_data(context, Unmanaged.passUnretained(self).toOpaque())
        defer { unsafe cprobe_store_ctx_set_data(context, nil) }
        unsafe X509_STORE_CTX_set_verify_cb(context) { isGood, context in
            guard isGood == 0, let context = unsafe context, let data = unsafe cprobe_store_ctx_data(context) else {
                return isGood
            }
            let collector = unsafe Unmanaged<OpenSSLErrorCollector>.fromOpaque(data).takeUnretainedValue()
            return collector.note(
                unsafe X509_STORE_CTX_get_error(context), depth: unsafe X509_STORE_CTX_get_error_depth(context))
        }
        OpenSSLError.clear()
        let result = unsafe X509_verify_cert(context)
        if result < 0, errors.isEmpty { throw OpenSSLError.take("X509_verify_cert") }
        if result != 1, errors.isEmpty {
            // Rejected without calling the callback: the context still holds the reason.
            _ = note(unsafe X509_STORE_CTX_get_error(context), depth: unsafe X509_STORE_CTX_get_error_depth(context))
        }
        return errors
    }

    /// Returns the verified chain of a context, the leaf first.
    package static func path(of context: OpaquePointer) -> [[UInt8]] {
        guard let chain = unsafe X509_STORE_CTX_get0_chain(context) else { return [] }
        let count = unsafe cprobe_certificates_count(chain)
        return (0..<count).compactMap { index in
            guard let certificate = unsafe cprobe_certificate_at(chain, index) else { return nil }
            return unsafe OpenSSLCertificate(sharing: certificate).der
        }
    }

    /// Records an error and continues, unless there are too many.
    private func note(_ code: CInt, depth: CInt) -> CInt {
        // A certificate without a revocation list about it decides nothing.
        if [X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_DIFFERENT_CRL_SCOPE].contains(code) { return 1 }
        let error = OpenSSLVerifyError(code: code, depth: Int(depth))
        if !errors.contains(error) { errors.append(error) }
        return errors.count < Self.maximumErrors ? 1 : 0
    }
}
