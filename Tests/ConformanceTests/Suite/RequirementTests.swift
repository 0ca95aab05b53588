import ProbeConformance
import ProbeConformanceTesting
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

/// The message in a third party's test: promise, observation, and where to read on.
@Suite(.bounded) struct RequirementTests {
    private static let expired = "tls/trust/expired"

    private func requirement(_ id: String) throws -> TransportRequirement {
        try #require(TransportRequirement.all.first { $0.id == id })
    }

    /// Returns the issues that a test would be failed with.
    private func issues(of body: () async throws -> Void) async throws -> [String] {
        let seen = Mutex<[String]>([])
        try await withKnownIssue(isIntermittent: true) {
            try await body()
        } matching: { issue in
            seen.withLock { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
            return true
        }
        return seen.withLock(\.self)
    }

    @Test func everyCaseIsARequirement() {
        #expect(TransportRequirement.all.map(\.id) == (TLSScenario.all + TLSScenario.divergences).map(\.id))
        #expect(ResolverRequirement.all.map(\.id) == DNSScenario.all.map(\.id))
        #expect(SignatureRequirement.all.map(\.id) == SignatureScenario.all.map(\.id))
    }

    @Test func aBrokenPromiseSaysWhatWasPromisedAndSeen() async throws {
        let wrong = WrongTransport.trustingEverything(try BackendsUnderTest.transports[0].get())
        let issues = try await issues { try await requirement(Self.expired).verify(wrong) }
        let issue = try #require(issues.first)
        #expect(issues.count == 1)
        #expect(issue.hasPrefix("wrong: tls/trust/expired promises trust-failed: "), "\(issue)")
        #expect(issue.contains("[RFC 5280") && issue.contains(" Seen: stacks-disagree"), "\(issue)")
        #expect(
            issue.hasSuffix("your own program's conformance --backend wrong --filter tls/trust/expired --format html"))
    }

    @Test func aKnownDifferenceIsNoneAndAStaleExemptionFails() async throws {
        let exemptions = try ConformanceExemptions(
            of: "wrong", [Self.expired: .init(.stacksDisagree, because: "it trusts everything")])
        let real = try BackendsUnderTest.transports[0].get()
        let wrong = WrongTransport.trustingEverything(real)
        #expect(try await issues { try await requirement(Self.expired).verify(wrong, exemptions: exemptions) } == [])
        let truthful = WrongTransport(real)
        let stale = try await issues { try await requirement(Self.expired).verify(truthful, exemptions: exemptions) }
        #expect(stale.count == 1)
        #expect(
            stale.first?.contains(
                "exempts wrong, stacks-disagree: it trusts everything. Seen: the promise is kept: the exemption is stale"
            )
                == true, "\(stale)")
    }

    /// The suite ends, whatever a backend does.
    @Test func aBackendThatNeverReturnsIsABrokenPromise() async throws {
        let scenario = try #require(TLSScenario.all.first { $0.id == Self.expired })
        let start = Stopwatch()
        let cell = await scenario.cell(
            of: SleepingTransport(capabilities: try BackendsUnderTest.transports[0].get().capabilities), pki: .suite)
        #expect(start.elapsed < .seconds(40))
        #expect(cell.outcome == .internalError && cell.isFault)
        #expect(cell.failure?.contains("so it was given up") == true, "\(cell.failure ?? "")")
    }

    /// A resolver's and a validator's tests report the same.
    @Test func othersAreHeldToTheirsToo() async throws {
        let requirement = try #require(ResolverRequirement.all.first { $0.id == "dns/forgeries/wrong-id" })
        let broken = try await issues { try await requirement.verify(CredulousResolver()) }
        #expect(broken.first?.hasPrefix("credulous: dns/forgeries/wrong-id promises ") == true, "\(broken)")
        let altered = try #require(SignatureRequirement.all.first { $0.id == "signature/content/altered" })
        let allowed = try await issues { try await altered.verify(AlwaysAllowSignatureValidator()) }
        #expect(allowed.count == 1, "\(allowed)")
    }
}

/// A transport that hangs, and ignores its cancellation.
private struct SleepingTransport: Transport {
    let identity = BackendIdentity(name: "sleeping", library: "none", version: "0")
    let capabilities: Set<TransportCapability>

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        let end = ContinuousClock.now + .seconds(1500)
        while .now < end { await Task { try? await Task.sleep(for: .seconds(1)) }.value }
        return HandshakeReport()
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { .refused([.init(.other, "asleep")]) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading { .unreadable("asleep") }
}
