import ProbeKit

/// OpenSSL's own trust decision: `X509_verify_cert`, driven to the end so that every error it can name is collected.
/// OpenSSL's ordinary clients ask for a stapled OCSP response at most, and do not judge it; neither does this.
enum OpenSSLTrust {
    static func evaluate(
        _ question: TrustQuestion, chain: OpenSSLCertificates, anchors: OpenSSLAnchors
    ) -> TrustReading {
        var certificates: [OpenSSLCertificate] = []
        for reading in chain.readings {
            switch reading {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                return .refused([
                    .init(.malformed, error.message, nativeCode: error.code, depth: certificates.count)
                ])
            }
        }
        guard let leaf = certificates.first else {
            return .refused([.init(.malformed, "no certificate was presented")])
        }
        do throws(OpenSSLError) {
            let store = try anchors.store(for: question.anchors)
            let verification = try OpenSSLVerification(
                store: store, leaf: leaf, untrusted: certificates.dropFirst())
            try verification.set(question)
            let errors = try verification.run()
            guard !errors.isEmpty else { return .accepted(path: verification.path) }
            return .refused(errors.map { store.explain($0.problem) })
        } catch {
            return .refused([.init(.other, error.message, nativeCode: error.code)])
        }
    }
}
