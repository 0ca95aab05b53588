import CProbeOpenSSL
package import ProbeKit
import ProbePlatform

/// Sole owner of an `X509_STORE_CTX` and of the stack of untrusted certificates it refers to.
@safe package final class OpenSSLVerification {
    private let context: OpaquePointer
    private let untrusted: OpaquePointer
    /// The context refers to these without owning them.
    private let kept: (OpenSSLStore, OpenSSLCertificate, [OpenSSLCertificate])

    package init(
        store: OpenSSLStore, leaf: OpenSSLCertificate, untrusted certificates: ArraySlice<OpenSSLCertificate>
    ) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let stack = unsafe cprobe_certificates_new() else { throw OpenSSLError.take("sk_X509_new") }
        guard let context = unsafe X509_STORE_CTX_new() else {
            unsafe cprobe_certificates_free(stack)
            throw OpenSSLError.take("X509_STORE_CTX_new")
        }
        unsafe self.context = context
        unsafe untrusted = stack
        kept = (store, leaf, Array(certificates))
        for certificate in certificates {
            guard unsafe cprobe_certificates_push(stack, certificate.pointer) > 0 else {
                throw OpenSSLError.take("sk_X509_push")
            }
        }
        guard unsafe X509_STORE_CTX_init(context, store.pointer, leaf.pointer, stack) == 1 else {
            throw OpenSSLError.take("X509_STORE_CTX_init")
        }
    }

    deinit {
        unsafe X509_STORE_CTX_free(context)
        unsafe cprobe_certificates_free(untrusted)
    }

    /// The flags that bring the comparison of names closest to the standards.
    package static let strictNames = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)

    /// Sets name, instant, purpose and the options that bring the decision closest to the standards.
    ///
    /// - Parameters:
    ///   - securityLevel: level 2 is 112 bits of security, so RSA from 2048 bits and no SHA-1.
    ///   - nameFlags: for comparing names; they also decide whether name constraints apply to common names.
    package func set(
        _ question: TrustQuestion, securityLevel: CInt = 2, nameFlags: UInt32 = strictNames
    ) throws(OpenSSLError) {
        OpenSSLError.clear()
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else {
            throw OpenSSLError.take("X509_STORE_CTX_get0_param")
        }
        guard let instant = time_t(exactly: question.instant.timeIntervalSince1970.rounded(.down)) else {
            throw OpenSSLError(code: nil, message: "the instant is out of range", sslReason: nil)
        }
        unsafe X509_VERIFY_PARAM_set_time(parameters, instant)
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST))
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, securityLevel)
        if let depth = question.maxDepth { unsafe X509_VERIFY_PARAM_set_depth(parameters, CInt(clamping: depth)) }
        switch question.purpose {
        case .server: unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER)
        case .client: unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT)
        case .any: break
        }
        try unsafe Self.set(question.policies, in: parameters)
        unsafe X509_VERIFY_PARAM_set_hostflags(parameters, nameFlags)
        let isSet =
            switch question.name {
            case .dns(let name)?: unsafe X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count)
            case .ip(let address)?: unsafe X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count)
            case nil: CInt(1)
            }
        guard isSet == 1 else { throw OpenSSLError.take("setting the name to verify") }
    }

    /// Sets the inputs about certificate policies. OpenSSL's ordinary client has none, and checks no policy.
    private static func set(_ policies: TrustQuestion.PolicyInputs, in parameters: OpaquePointer) throws(OpenSSLError) {
        guard !policies.isDefault else { return }
        var flags = X509_V_FLAG_POLICY_CHECK
        if policies.requiresExplicitPolicy { flags |= X509_V_FLAG_EXPLICIT_POLICY }
        if policies.inhibitsAnyPolicy { flags |= X509_V_FLAG_INHIBIT_ANY }
        if policies.inhibitsMapping { flags |= X509_V_FLAG_INHIBIT_MAP }
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags))
        // Without a policy nothing is acceptable to it, where RFC 5280 section 6.1.1 (c) starts from any.
        for policy in policies.acceptable ?? [.any] {
            let object = unsafe policy.der?.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                return unsafe d2i_ASN1_OBJECT(nil, &cursor, bytes.count)
            }
            // The parameters own the object from here on.
            guard let object = unsafe object, unsafe X509_VERIFY_PARAM_add0_policy(parameters, object) == 1 else {
                throw OpenSSLError.take("setting a policy to verify")
            }
        }
    }

    /// Verifies to the end and returns every error, in the order OpenSSL found them.
    package func run() throws(OpenSSLError) -> [OpenSSLVerifyError] {
        try unsafe OpenSSLErrorCollector().verify(context)
    }

    /// The verified chain, the leaf first.
    package var path: [[UInt8]] { unsafe OpenSSLErrorCollector.path(of: context, presented: [kept.1] + kept.2) }
}

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
    ///
    /// - Parameter presented: the certificates of the chain that was verified: each of them is in the path with the bytes
    ///   that it came in.
    package static func path(of context: OpaquePointer, presented: [OpenSSLCertificate]) -> [[UInt8]] {
        guard let chain = unsafe X509_STORE_CTX_get0_chain(context) else { return [] }
        let count = unsafe cprobe_certificates_count(chain)
        return (0..<count).compactMap { index in
            guard let certificate = unsafe cprobe_certificate_at(chain, index) else { return nil }
            if let known = presented.first(where: { unsafe $0.pointer == certificate }) { return known.der }
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
