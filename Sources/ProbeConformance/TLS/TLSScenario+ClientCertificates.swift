import ProbeKit
import ProbeLab
import ProbeRun

extension TLSScenario {
    /// Servers that ask for a client certificate, which no probe sends.
    static let clientCertificates: [TLSScenario] =
        [TLSVersion.tls12, .tls13].flatMap { version in
            [
                handshake(
                    "not-requested", "Where no client certificate is asked for, no request is reported.", version, .pass
                ).with { $0.facts = [.clientCertificateRequested(false)] },
                handshake(
                    "requested",
                    "A request for a client certificate is a warning where the server goes on without one.",
                    version, .passWithWarnings
                ) {
                    $0.asksForCertificate = true
                    $0.namesIssuers = true
                }.with {
                    $0.facts = [.clientCertificateRequested(true), .finding("client-certificate-requested")]
                },
                handshake(
                    "requested-with-answer", "What it answers without one is said.", version, .passWithWarnings
                ) {
                    $0.asksForCertificate = true
                    $0.applicationProtocols = HTTPExchange.alpn
                    $0.service = .http(LabHTTPRecipe(status: 400))
                }.with {
                    $0.needs.insert(.httpHead)
                    $0.serverDate = .always
                    $0.requests = 1
                    $0.facts = [.response("h2", 400), .says("the HTTP status 400", in: "client-certificate-requested")]
                },
                required("required", "A server that ends the connection over it is not one for this client.", version),
                // In TLS 1.3 the server has proved itself by then, so its other faults count.
                required("required-of-another-key", "What is wrong besides counts as far as it is proved.", version)
                    .with {
                        $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .nothing), at: .any)]
                        $0.facts.append(.finding("client-certificate-required"))
                        if version == .tls12 { $0.facts.append(.says("unproven", in: "pin-mismatch")) }
                    }.expecting(version == .tls13 ? .pinMismatch : nil),
                required("required-by-an-expired-one", "The same goes for trust.", version, .expired)
                    .with { $0.facts.append(.finding("client-certificate-required")) }.expecting(
                        version == .tls13 ? .trustFailed : nil, code: TrustCause.expired.rawValue),
                required("required-by-too-old-a-one", "And for what a policy demands of the version.", version)
                    .with { $0.minimumTLS = .tls13 },
            ]
        }

    private static func handshake(
        _ id: String, _ sentence: String, _ version: TLSVersion, _ outcome: Outcome, code: String? = nil,
        _ identity: LabIdentityName = .good, change: (inout LabTLSRecipe) -> Void = { _ in }
    ) -> TLSScenario {
        var recipe = LabTLSRecipe(identity, versions: version...version)
        change(&recipe)
        return TLSScenario(
            "handshake/client-certificate-\(id)-in-tls-\(version.number)", sentence,
            source: "RFC 8446 4.3.2 and 4.4.2.4, RFC 5246 7.4.6", .tls(recipe), outcome, code: code
        ).with { $0.needs = [.clientCertificateRequest] }
    }

    private static func required(
        _ id: String, _ sentence: String, _ version: TLSVersion, _ identity: LabIdentityName = .good
    ) -> TLSScenario {
        handshake(id, sentence, version, .handshakeFailed, code: "client-certificate-required", identity) {
            $0.requiresCertificate = true
        }.with {
            $0.facts = [.clientCertificateRequested(true)]
            // In TLS 1.2 the alert may be lost with the connection, whose end comes before the client's flight is read.
            guard version == .tls13 else { return }
            $0.needs.insert(.lateRefusal)
            $0.facts.append(.alert(.certificateRequired))
        }
    }

    /// Returns the same with another outcome; nil changes nothing.
    private func expecting(_ outcome: Outcome?, code: String? = nil) -> TLSScenario {
        outcome.map { with($0, code: code ?? $0.rawValue) } ?? self
    }
}
