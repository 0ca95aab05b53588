import ProbeKit
import ProbePlatform

extension ExpiryPlace {
    /// The place of the certificate that a verifier refuses for its end. If the verifier names no depth, the ends of what the
    /// server sends show it.
    init(of problem: TrustReading.Problem, in connection: ConnectionEvidence) {
        let sent = connection.presented.map { connection.certificates[$0] }
        func isAnchor(_ certificate: CertificateEvidence) -> Bool {
            connection.anchors.certificates.contains(certificate.der)
        }
        func hasEnded(_ certificate: CertificateEvidence) -> Bool {
            // A certificate is valid for the whole of its last second.
            certificate.details.map { connection.instant.timeIntervalSince($0.notAfter) >= 1 } ?? false
        }
        let ended = sent.dropFirst().filter(hasEnded)
        guard problem.depth != 0 else {
            self = .leaf
            return
        }
        if let depth = problem.depth, sent.indices.contains(depth), hasEnded(sent[depth]) {
            self = isAnchor(sent[depth]) ? .anchor : .authority
        } else if problem.depth == nil, sent.first.map({ $0.details == nil || hasEnded($0) }) ?? true {
            self = .leaf
        } else {
            // A depth is a place in the stack's path, which need not have the order in which certificates are sent.
            self = ended.contains { !isAnchor($0) } ? .authority : .anchor
        }
    }
}
