import CNIOBoringSSL
import ProbeKit
import ProbePlatform

/// Sole owner of an `X509_STORE_CTX` and of the stack of untrusted certificates it refers to.
@safe final class BoringSSLVerification {
    private let context: OpaquePointer
    private let untrusted: OpaquePointer
    /// The context refers to these without owning them.
    private let kept: (store: BoringSSLStore, leaf: BoringSSLCertificate, untrusted: [BoringSSLCertificate])
    private var errors: [BoringSSLVerifyError] = []

    /// More errors than a normal chain can have; a hostile one must not fill memory.
    private static let maximumErrors = 64
    /// The slot of a verification that belongs to the application.
    private static let selfIndex: CInt = 0

    init(
        store: BoringSSLStore, leaf: BoringSSLCertificate, untrusted certificates: ArraySlice<BoringSSLCertificate>
    ) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let stack = unsafe sk_X509_new_null() else { throw BoringSSLError.take("sk_X509_new") }
        guard let context = unsafe X509_STORE_CTX_new() else {
            unsafe sk_X509_free(stack)
            throw BoringSSLError.take("X509_STORE_CTX_new")
        }
        unsafe self.context = context
        unsafe untrusted = stack
        kept = (store, leaf, Array(certificates))
        for certificate in certificates {
            guard unsafe sk_X509_push(stack, certificate.pointer) > 0 else {
                throw BoringSSLError.take("sk_X509_push")
            }
        }
        guard unsafe X509_STORE_CTX_init(context, store.pointer, leaf.pointer, stack) == 1 else {
            throw BoringSSLError.take("X509_STORE_CTX_init")
        }
    }

    deinit {
        unsafe X509_STORE_CTX_free(context)
        unsafe sk_X509_free(untrusted)
    }

    /// Sets instant and purpose, and leaves the rest at BoringSSL's defaults: the decision has to be that of a client
    /// on this stack. By default it accepts only self-signed anchors, and has no security levels. The name is left to
    /// `NIOSSLNameRule`, as a NIOSSL client does not let BoringSSL compare it.
    func set(_ question: TrustQuestion) throws(BoringSSLError) {
        BoringSSLError.clear()
        guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else {
            throw BoringSSLError.take("X509_STORE_CTX_get0_param")
        }
        guard let instant = Int64(exactly: question.instant.timeIntervalSince1970.rounded(.down)) else {
            throw BoringSSLError(code: nil, message: "the instant is out of range", sslReason: nil)
        }
        unsafe X509_VERIFY_PARAM_set_time_posix(parameters, instant)
        try unsafe Self.set(question.policies, in: parameters)
        if let depth = question.maxDepth { unsafe X509_VERIFY_PARAM_set_depth(parameters, CInt(clamping: depth)) }
        let isSet =
            switch question.purpose {
            case .server: unsafe X509_STORE_CTX_set_default(context, "ssl_server")
            case .client: unsafe X509_STORE_CTX_set_default(context, "ssl_client")
            case .any: CInt(1)
            }
        guard isSet == 1 else { throw BoringSSLError.take("setting the purpose to verify") }
    }

    /// Sets the inputs about certificate policies, which BoringSSL always checks.
    private static func set(_ policies: TrustQuestion.PolicyInputs, in parameters: OpaquePointer) throws(BoringSSLError)
    {
        var flags: CInt = 0
        if policies.requiresExplicitPolicy { flags |= X509_V_FLAG_EXPLICIT_POLICY }
        if policies.inhibitsAnyPolicy { flags |= X509_V_FLAG_INHIBIT_ANY }
        if policies.inhibitsMapping { flags |= X509_V_FLAG_INHIBIT_MAP }
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags))
        for policy in policies.acceptable ?? [] {
            let object = unsafe policy.der?.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                return unsafe d2i_ASN1_OBJECT(nil, &cursor, bytes.count)
            }
            // The parameters own the object from here on.
            guard let object = unsafe object, unsafe X509_VERIFY_PARAM_add0_policy(parameters, object) == 1 else {
                throw BoringSSLError.take("setting a policy to verify")
            }
        }
    }

    /// Verifies to the end and returns every error, in the order BoringSSL found them.
    func run() -> [BoringSSLVerifyError] {
        errors = []
        // `self` outlives the call below, the only time the callback can run.
        unsafe X509_STORE_CTX_set_ex_data(context, Self.selfIndex, Unmanaged.passUnretained(self).toOpaque())
        unsafe X509_STORE_CTX_set_verify_cb(context) { isGood, context in
            guard isGood == 0, let context = unsafe context,
                let data = unsafe X509_STORE_CTX_get_ex_data(context, BoringSSLVerification.selfIndex)
            else { return isGood }
            let verification = unsafe Unmanaged<BoringSSLVerification>.fromOpaque(data).takeUnretainedValue()
            return verification.noteError()
        }
        if unsafe X509_verify_cert(context) != 1 {
            // It stopped without asking the callback: the context still holds the reason.
            noteError()
        }
        return errors
    }

    /// The verified chain, the leaf first.
    var path: [[UInt8]] {
        guard let chain = unsafe X509_STORE_CTX_get0_chain(context) else { return [] }
        let count = unsafe sk_X509_num(chain)
        return (0..<count).compactMap { index in
            guard let certificate = unsafe sk_X509_value(chain, index) else { return nil }
            return unsafe BoringSSLCertificate(sharing: certificate).der
        }
    }

    /// Evaluated once, whatever the faults of the leaf: it verifies a signature.
    private lazy var isLeafSelfSigned = kept.leaf.isSelfSigned

    /// Records the context's error and returns 1 to continue, unless there are too many.
    @discardableResult private func noteError() -> CInt {
        let code = unsafe X509_STORE_CTX_get_error(context)
        // A certificate without a revocation list about it decides nothing.
        if [X509_V_ERR_UNABLE_TO_GET_CRL, X509_V_ERR_DIFFERENT_CRL_SCOPE].contains(code) { return 1 }
        let depth = Int(unsafe X509_STORE_CTX_get_error_depth(context))
        let error = BoringSSLVerifyError(
            code: code, depth: depth,
            isSelfSignedLeaf: depth == 0 && isLeafSelfSigned)
        if !errors.contains(error) { errors.append(error) }
        return errors.count < Self.maximumErrors ? 1 : 0
    }
}
