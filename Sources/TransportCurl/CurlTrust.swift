import CProbeOpenSSL
import ProbeKit
import TransportOpenSSL

/// The result of libcurl's trust settings without a connection, which libcurl itself does not offer.
enum CurlTrust {
    /// The level that libcurl leaves unchanged.
    private static let securityLevel = cprobe_default_security_level()

    static func evaluate(_ question: TrustQuestion, anchors: OpenSSLAnchors) -> TrustReading {
        var certificates: [OpenSSLCertificate] = []
        for reading in OpenSSLCertificates(question.chain).readings {
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
            let verification = try OpenSSLVerification(
                store: try anchors.store(for: question.anchors), leaf: leaf, untrusted: certificates[...])
            // libcurl sets no flags for names: OpenSSL applies name constraints to a common name if there is no DNS
            // name.
            try verification.set(question.withoutName, securityLevel: securityLevel, nameFlags: 0)
            var problems = try verification.run().map(\.problem)
            if let name = question.name, let problem = judge(name, leaf) { problems.append(problem) }
            return problems.isEmpty ? .accepted(path: verification.path) : .refused(problems)
        } catch {
            return .refused([.init(.other, error.message, nativeCode: error.code)])
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
