import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Servers that ask for a client certificate, and a client that has one.
    static let clientIdentities: [TLSScenario] =
        [TLSVersion.tls12, .tls13].flatMap { version in
            [
                identity("required", "A server that requires a client certificate gets it.", version, .pass) {
                    $0.requiresCertificate = true
                },
                identity("optional", "One that asks for one gets it too.", version, .pass) {
                    $0.asksForCertificate = true
                },
                identity("not-requested", "One that does not ask gets none.", version, .pass) { _ in }.with {
                    $0.facts = [
                        .clientCertificateRequested(false), .clientCertificateSent(false),
                        .finding("client-certificate-not-sent"),
                    ]
                },
                identity(
                    "with-rsa", "An RSA key signs as well as one on a curve.", version, .pass, client: .rsa2048
                ) { $0.requiresCertificate = true },
                refused("of-another-issuer", "A certificate from elsewhere is refused.", version, .unknownIssuer),
                refused("expired", "So is an expired one.", version, .expired),
            ]
        }

    private static func identity(
        _ id: String, _ sentence: String, _ version: TLSVersion, _ outcome: Outcome, code: String? = nil,
        client: LabIdentityName = .clientPurpose, change: (inout LabTLSRecipe) -> Void
    ) -> TLSScenario {
        var recipe = LabTLSRecipe(.good, versions: version...version, takesClients: [.clientPurpose, .rsa2048])
        change(&recipe)
        return TLSScenario(
            "handshake/client-identity-\(id)-in-tls-\(version.number)", sentence,
            source: "RFC 8446 4.4.2 and 4.4.3, RFC 5246 7.4.6 and 7.4.8", .tls(recipe), outcome, code: code
        ).with {
            $0.clientIdentity = client
            $0.facts = [
                .clientCertificateRequested(true), .clientCertificateSent(true), .finding("client-certificate-sent"),
            ]
        }
    }

    private static func refused(
        _ id: String, _ sentence: String, _ version: TLSVersion, _ client: LabIdentityName
    ) -> TLSScenario {
        identity(
            id, sentence, version, .handshakeFailed, code: "client-certificate-refused", client: client
        ) { $0.requiresCertificate = true }.with {
            $0.facts = [.clientCertificateRequested(true), .clientCertificateSent(true)]
        }
    }
}
