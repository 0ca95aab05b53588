import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust

/// Evidence of a handshake that was never made, for policies.
enum TestConnection {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// Evidence with a chain of which all but the last certificate are presented; the last one is the anchor of the path.
    static func evidence(
        path: [[UInt8]], version: TLSVersion? = .tls13, suite: String? = "TLS_AES_128_GCM_SHA256",
        isTrusted: Bool = true, anchorsAreSystem: Bool = false, at instant: Date = pki.epoch
    ) -> Evidence {
        var report = HandshakeReport()
        report.version = version
        report.cipherSuite = suite
        report.chain = Array(path.dropLast())
        let certificates = path.enumerated().map { index, der in
            CertificateEvidence(
                der: der, source: index == path.count - 1 ? .anchor : .presented, stackKey: .unreadable("not asked"))
        }
        let trust = isTrusted ? TrustReading.accepted(path: path) : .refused([.init(.other, "by the test")])
        return Evidence(
            connection: ConnectionEvidence(
                transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
                certificates: isTrusted ? certificates : Array(certificates.dropLast()), referenceTrust: trust,
                anchors: TrustAnchors(name: "test", certificates: path.suffix(1), isSystem: anchorsAreSystem),
                instant: instant),
            model: nil)
    }

    /// Returns a leaf, the intermediate that issued it, and the root.
    static func path(_ leaf: LabCertificateRecipe = .leaf("test")) throws -> [[UInt8]] {
        [
            try pki.issue(leaf), try pki.certificate(of: leaf.issuer ?? .intermediate),
            try pki.certificate(of: .root),
        ]
    }
}
