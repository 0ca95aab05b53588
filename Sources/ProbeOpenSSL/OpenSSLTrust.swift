package import ProbeKit
import ProbeNet
import ProbePins

/// OpenSSL's own trust decision: `X509_verify_cert`, driven to the end so that every error it can name is collected.
/// OpenSSL's ordinary clients ask for a stapled OCSP response at most, and do not judge it; neither does this.
package enum OpenSSLTrust {
    /// Returns the decision on a chain as OpenSSL read it.
    package static func evaluate(
        _ question: TrustQuestion, chain: OpenSSLCertificates, anchors: OpenSSLAnchors
    ) -> TrustReading {
        ReadableChain.judge(chain.readings) { chain throws(OpenSSLError) in
            let store = try anchors.store(for: question.anchors)
            let verification = try OpenSSLVerification(
                store: store, leaf: chain.leaf, untrusted: chain.certificates.dropFirst())
            try verification.set(question)
            let errors = try verification.run()
            guard !errors.isEmpty else { return .accepted(path: verification.path) }
            return .refused(errors.map { store.explain($0.problem) })
        }
    }
}

/// Loaded certificate stores, one for each list of anchors: loading the system's takes longer than a handshake, so it
/// happens once per run and not once per target.
package final class OpenSSLAnchors: Sendable {
    private let loaded = BoundedMemory<OrderedStore, OpenSSLStore>(limit: 8)

    package init() {}

    package func store(for anchors: TrustAnchors) throws(OpenSSLError) -> OpenSSLStore {
        try loaded.value(for: OrderedStore(anchors)) { () throws(OpenSSLError) in try OpenSSLStore(anchors) }
    }
}
