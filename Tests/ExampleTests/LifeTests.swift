import ProbeKit
import ProbeProfiles
import ProbeRun
import ProbeTestSupport
import ResolverLDNS
import Testing
import TransportCurl
import TransportGnuTLS
import TransportNIOSSL
import TransportOpenSSL

/// Every example lives its whole life, through every transport, on a clock of its own.
@Suite(.bounded) struct LifeTests {
    private static let transports: [any Transport] = [
        GnuTLSTransport(), OpenSSLTransport(), CurlTransport(), NIOSSLTransport(),
    ]

    @Test(
        "[R3, R9, R10, R13, R14, R37, R46, R47, R49, R59, R79, R90, R92, R93, R94, R96, R97, R98, R101, R103, R105] the life of an example",
        arguments: LifeStep.all)
    func isLived(_ step: LifeStep) async throws {
        let example = try Example(step)
        try #require(!step.expect.isEmpty, "the step expects nothing")
        try await example.run { checks in
            let prober = Prober(clock: .fixed(example.instant))
            var seen: Set<String> = []
            for check in checks.services {
                guard let service = check.service, let expected = step.expect[service] else { continue }
                seen.insert(service)
                for result in await prober.probe(check, through: Self.transports, resolvers: []) {
                    let name = result.evidence.connection?.transport.name ?? ""
                    #expect(
                        result.verdict.outcome.rawValue == expected,
                        "\(service) through \(name): \(result.verdict.findings)")
                }
            }
            for model in checks.models where step.models != nil {
                let expected = try #require(step.expect["models"])
                seen.insert("models")
                let results = await prober.probe(
                    model, subject: model.subject, through: [LDNSResolver()], timeout: .seconds(1800))
                #expect(results.map(\.verdict.outcome.rawValue) == [expected])
            }
            if let content = step.content {
                seen.insert("content")
                for validator in [OpenSSLSignatures(), GnuTLSSignatures()] as [any SignatureValidator] {
                    let reading = await validator.validate(try example.question(about: content))
                    #expect(
                        reading.outcome.rawValue == step.expect["content"], "\(validator.identity.name): \(reading)")
                }
            }
            #expect(seen == Set(step.expect.keys), "an expectation names nothing in the profile")
        }
    }
}
