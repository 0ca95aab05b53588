import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeTestSupport
import Testing

/// Verdicts look pins up in the group's index, which the benchmark of the hash path measures.
@Suite struct LargePinGroupTests {
    private static let count = 100_000
    private static let others = (1..<count).map { Pin(kind: .spki, digest: digest($0)) }

    private static func digest(_ number: Int) -> PinDigest {
        PinDigest(words: (UInt64(number) &* 0x9e37_79b9_7f4a_7c15, 1, 2, UInt64(number)))
    }

    private let evidence: Evidence
    private let leaf: CertificateDigests

    init() throws {
        evidence = TestConnection.evidence(path: try TestConnection.path())
        leaf = try #require(evidence.connection?.certificates.first).digests.get()
    }

    private func judge(_ policy: PinsMatch) -> [Finding] { policy.judge(evidence, at: TestConnection.pki.epoch) }

    private func policy(_ pins: [Pin], expiring: [Pin: Date] = [:]) -> PinsMatch {
        PinsMatch([PinGroup(pins, position: .any, pinExpiries: expiring)])
    }

    @Test func onePinAndAHundredThousandSayTheSame() throws {
        let pin = Pin(kind: .spki, digest: leaf.spki)
        let (alone, among) = (judge(policy([pin])), judge(policy(Self.others + [pin])))
        #expect(alone.map(\.code) == ["pin-matched"])
        #expect(alone == among)
    }

    /// The dearest answer of a list compared one by one is that nothing matches.
    @Test func theNumberOfPinsCostsNothing() throws {
        func work(_ policy: PinsMatch) -> Duration {
            (0..<9).map { _ in
                Stopwatch.processorTime { #expect(judge(policy).map(\.code) == ["pin-mismatch"]) }
            }.min() ?? .zero
        }
        let (one, many) = (work(policy([Self.others[0]])), work(policy(Self.others)))
        #expect(many < one * 5, "one pin takes \(one), \(Self.others.count) take \(many)")
    }

    @Test func aPinThatHasExpiredIsPassedOver() throws {
        let (old, new) = (Pin(kind: .spki, digest: leaf.spki), Pin(kind: .cert, digest: leaf.cert))
        let yesterday = TestConnection.pki.epoch.addingTimeInterval(-86_400)
        #expect(judge(policy([old], expiring: [old: yesterday])).map(\.code) == ["pins-expired"])
        let finding = try #require(judge(policy(Self.others + [old, new], expiring: [old: yesterday])).first)
        #expect(finding.message.hasPrefix("the certificate pin"))
        let gone = try #require(judge(policy(Self.others + [old], expiring: [old: yesterday])).first)
        #expect(gone.code == "pin-mismatch")
    }
}
