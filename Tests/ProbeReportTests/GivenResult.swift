import Foundation
import ProbeKit
import ProbeRun

/// Results that nobody had to probe for.
enum GivenResult {
    static let instant = Date(timeIntervalSince1970: 1_750_000_000)

    /// Returns the result of a backend that has nothing to show but findings, and the leaf that it was shown if there is one.
    static func of(
        _ transport: String, _ findings: [Finding], service: String? = nil, leaf: GivenLeaf? = nil
    ) -> ProbeResult {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: transport, library: "none", version: "0"), report: HandshakeReport(),
            missing: [],
            certificates: leaf.map {
                [
                    CertificateEvidence(
                        $0, source: .presented,
                        digests: .failure(CertificateFormatError(.truncated, at: "Certificate", offset: 0)),
                        stackKey: .unreadable("no stack saw it"), stackSPKI: nil, showsDetails: true)
                ]
            } ?? [], referenceTrust: nil, anchors: .none, instant: instant)
        return ProbeResult(
            subject: "good.test:443", service: service, evidence: Evidence(connection: connection, model: nil),
            verdict: Verdict(findings))
    }
}

/// A certificate that ends some time after the results' instant, or before it.
final class GivenLeaf: CertificateReading {
    let der: [UInt8]
    let details: CertificateDetails?

    convenience init(days: UInt8) { self.init(named: "leaf of \(days) days", left: Double(days) * 86_400, der: [days]) }

    /// - Parameter left: the seconds to its end; below zero if that has passed.
    init(named name: String = "leaf", left: Double, der: [UInt8] = [0]) {
        self.der = der
        details = CertificateDetails(
            subject: "CN=\(name)", issuer: "CN=ca", serial: "01",
            notBefore: GivenResult.instant.addingTimeInterval(min(0, left)),
            notAfter: GivenResult.instant.addingTimeInterval(left), key: "EC P-256",
            signatureAlgorithm: "ECDSA with SHA-256", dnsNames: [], ipAddresses: [], isCA: false)
    }
}
