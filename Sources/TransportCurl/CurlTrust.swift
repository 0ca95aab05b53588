import ProbeKit
import ProbeNet
import ProbeOpenSSL

/// The result of libcurl's trust settings without a connection, which libcurl itself does not offer.
enum CurlTrust {
    static func evaluate(_ question: TrustQuestion, anchors: OpenSSLAnchors) -> TrustReading {
        ReadableChain.judge(OpenSSLCertificates(question.chain).readings) { chain throws(OpenSSLError) in
            let verification = try OpenSSLVerification(
                store: try anchors.store(for: question.anchors), leaf: chain.leaf, untrusted: chain.certificates[...])
            // libcurl sets no flags for names: OpenSSL applies name constraints to a common name if there is no DNS
            // name.
            try verification.set(question.withoutName, securityLevel: OpenSSLPolicy.defaultLevel, nameFlags: 0)
            var problems = try verification.run().map(\.problem)
            if let name = question.name, let problem = judge(name, chain.leaf) { problems.append(problem) }
            return problems.isEmpty ? .accepted(path: verification.path) : .refused(problems)
        }
    }

    /// Returns libcurl's problem with a name, if its check was not reached; nil if it has none.
    static func judge(_ name: ServerName, leaf: [UInt8]) -> TrustReading.Problem? {
        (try? OpenSSLCertificate(der: leaf)).flatMap { judge(name, $0) }
    }

    /// Judges a name; beside the name, libcurl wants to show the leaf's issuer, and fails if that has no name.
    private static func judge(_ name: ServerName, _ leaf: OpenSSLCertificate) -> TrustReading.Problem? {
        if !CurlNameRule.accepts(leaf, for: name) { return nameProblem("no name of the certificate matches \(name)") }
        return leaf.hasIssuerName ? nil : nameProblem("the issuer of the certificate has no name")
    }

    static func nameProblem(_ message: String) -> TrustReading.Problem {
        .init(.hostnameMismatch, message, nativeCode: "CURLE_PEER_FAILED_VERIFICATION", depth: 0)
    }
}

extension TrustQuestion {
    /// The question about the chain alone: libcurl does not let OpenSSL compare names.
    fileprivate var withoutName: TrustQuestion {
        TrustQuestion(
            chain: chain, anchors: anchors, name: nil, instant: instant, purpose: purpose, maxDepth: maxDepth,
            policies: policies)
    }
}
