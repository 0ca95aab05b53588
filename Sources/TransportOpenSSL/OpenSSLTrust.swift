import CProbeOpenSSL
import ProbeKit

/// OpenSSL's own trust decision: `X509_verify_cert`, driven to the end so that every error it can name is collected.
enum OpenSSLTrust {
    static func evaluate(_ question: TrustQuestion, anchors: OpenSSLAnchors) -> TrustReading {
        do throws(OpenSSLError) {
            let chain = try question.chain.map { der throws(OpenSSLError) in try OpenSSLCertificate(der: der) }
            return evaluate(question, chain: chain, anchors: anchors)
        } catch {
            return .refused([.init(.malformed, error.message, nativeCode: error.code)])
        }
    }

    /// The decision on a chain that was parsed already; parsing it costs as much as half of a handshake.
    static func evaluate(
        _ question: TrustQuestion, chain: [OpenSSLCertificate], anchors: OpenSSLAnchors
    ) -> TrustReading {
        guard let leaf = chain.first else {
            return .refused([.init(.malformed, "no certificate was presented")])
        }
        do throws(OpenSSLError) {
            let store = try anchors.store(for: question.anchors)
            let verification = try OpenSSLVerification(store: store, leaf: leaf, untrusted: chain.dropFirst())
            try verification.set(question)
            let errors = try verification.run()
            guard !errors.isEmpty else { return .accepted(path: verification.path) }
            return .refused(errors.map { store.explain($0.problem) })
        } catch {
            return .refused([.init(.other, error.message, nativeCode: error.code)])
        }
    }
}
