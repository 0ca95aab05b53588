import ProbeKit
import ProbeNet
import ProbePins

/// A NIOSSL client's trust decision: BoringSSL's `X509_verify_cert` with a TLS client's defaults, driven to the end so that
/// every error it can name is collected, then NIOSSL's own comparison of names.
enum NIOSSLTrust {
    /// Evaluates a question.
    ///
    /// - Parameter dialled: the address that a client dials for the name, if it is known.
    static func evaluate(
        _ question: TrustQuestion, chain: NIOSSLCertificates, anchors: NIOSSLAnchors, dialled: IPAddress? = nil
    ) -> TrustReading {
        ReadableChain.judge(chain.readings) { chain throws(BoringSSLError) in
            let store = try anchors.store(for: question.anchors)
            let verification = try BoringSSLVerification(
                store: store, leaf: chain.leaf, untrusted: chain.certificates.dropFirst())
            try verification.set(question)
            var problems = verification.run().map { store.explain($0.problem) }
            if let name = question.name,
                !NIOSSLNameRule.accepts(BoringSSLNames(chain.leaf), for: name, dialled: dialled)
            {
                problems.append(nameProblem(name))
            }
            return problems.isEmpty ? .accepted(path: verification.path) : .refused(problems)
        }
    }

    private static func nameProblem(_ name: ServerName) -> TrustReading.Problem {
        .init(
            .hostnameMismatch, "no name of the certificate matches \(name)",
            nativeCode: "NIOSSLExtraError.failedToValidateHostname", depth: 0)
    }
}

/// Loaded certificate stores, one for each set of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
final class NIOSSLAnchors: Sendable {
    private let loaded = BoundedMemory<PinDigest, BoringSSLStore>(limit: 8)

    func store(for anchors: TrustAnchors) throws(BoringSSLError) -> BoringSSLStore {
        try loaded.value(for: anchors.storeDigest) { () throws(BoringSSLError) in try BoringSSLStore(anchors) }
    }
}
