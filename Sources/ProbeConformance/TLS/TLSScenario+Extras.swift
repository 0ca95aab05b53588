import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Servers that send more than a handshake needs: a staple, timestamps, a HelloRequest.
    static let extras: [TLSScenario] =
        [TLSVersion.tls12, .tls13].flatMap { version in
            [
                extra(
                    "staple-in-tls-\(version.number)", "A stapled OCSP response is reported as it was sent.",
                    source: "RFC 6066 8, RFC 8446 4.4.2.1",
                    LabTLSRecipe(.good, versions: version...version, staples: true)
                ).with { $0.needs = [.ocspStaple] },
                extra(
                    "demanded-staple-in-tls-\(version.number)", "One that the certificate demands is enough.",
                    source: "RFC 7633 4.2.1", LabTLSRecipe(.mustStaple, versions: version...version, staples: true)
                ).with { $0.needs = [.ocspStaple] },
                extra(
                    "timestamps-in-tls-\(version.number)",
                    "The timestamps of a handshake are reported as they were sent.",
                    source: "RFC 6962 3.3.1",
                    LabTLSRecipe(.good, versions: version...version, timestamps: [timestamp(1), timestamp(2)])
                ).with { $0.needs = [.handshakeSCTs] },
            ]
        } + [
            extra(
                "hello-request", "A HelloRequest before the ServerHello is ignored: the client is negotiating already.",
                source: "RFC 5246 7.4.1.1",
                LabTLSRecipe(
                    .good, versions: .tls12 ... .tls12,
                    tampering: LabTampering(.inject([22, 3, 3, 0, 4, 0, 0, 0, 0]), on: .serverHello))
            ).with {
                $0.deviations = ["gnutls", "nio"].reduce(into: [:]) {
                    $0[$1] = Deviation(
                        .handshakeFailed, code: "protocol-error", "it takes nothing but a ServerHello for an answer")
                }
            }
        ]

    private static func extra(_ id: String, _ sentence: String, source: String, _ recipe: LabTLSRecipe) -> TLSScenario {
        TLSScenario("handshake/" + id, sentence, source: source, .tls(recipe), .pass)
    }

    /// A SignedCertificateTimestamp of version 1 (RFC 6962 section 3.2): a log that does not exist, a time, no extensions, and
    /// eight bytes in the place of an ECDSA signature with SHA-256. Probes report timestamps, and judge none.
    private static func timestamp(_ number: UInt8) -> [UInt8] {
        let parts: [[UInt8]] = [
            [0], [UInt8](repeating: number, count: 32), [0, 0, 1, 0x9c, 0, 0, 0, number], [0, 0],
            [4, 3, 0, 8], [UInt8](repeating: number, count: 8),
        ]
        return parts.flatMap(\.self)
    }

    /// Returns a difference of the staple, the timestamps and the issuers in a report from those that the server sent. A
    /// transport reports what it declares, and none invents any; issuers have no capability of their own, so that it may
    /// leave them out.
    func extrasContradiction(
        in report: HandshakeReport, capabilities: Set<TransportCapability>, _ pki: LabPKI
    ) throws -> String? {
        guard case .tls(let recipe) = peer else { return nil }
        let staple = try recipe.staples ? pki.staple(of: recipe.identity) : nil
        guard report.ocspStaple == staple || report.ocspStaple == nil && !capabilities.contains(.ocspStaple) else {
            return
                "a staple of \((report.ocspStaple?.count ?? 0).counted("byte")) that is not the \(staple?.count ?? 0) sent"
        }
        // A list of them has no order (RFC 6962 section 3.3), and OpenSSL hands them out in reverse.
        let (seen, sent) = (Self.sorted(report.handshakeSCTs), Self.sorted(recipe.timestamps))
        guard seen == sent || seen.isEmpty && !capabilities.contains(.handshakeSCTs) else {
            return "\(seen.count.counted("timestamp")) that are not the \(sent.count) sent"
        }
        let issuers = try recipe.namesIssuers ? [LabPKI.subject(of: pki.certificate(of: .root))] : []
        guard report.clientCertificateIssuers.isEmpty || report.clientCertificateIssuers == issuers else {
            return "\(report.clientCertificateIssuers.count.counted("issuer")) of client certificates; "
                + "\(issuers.isEmpty ? "none was" : "another was") named"
        }
        return nil
    }

    private static func sorted(_ timestamps: [[UInt8]]) -> [[UInt8]] {
        timestamps.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
