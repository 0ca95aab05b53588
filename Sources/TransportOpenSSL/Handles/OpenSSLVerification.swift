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
    private static func set(_ policies: PolicyInputs, in parameters: OpaquePointer) throws(OpenSSLError) {
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
    package var path: [[UInt8]] { unsafe OpenSSLErrorCollector.path(of: context) }
}
