import ProbeKit
import ProbeLab
import ProbePins
import Synchronization
import Testing

@testable import ProbeRun

/// Certificates are read once for many probes, and no probe gets an answer that no longer holds.
@Suite struct CertificateMemoryTests {
    private static let pki = TestConnection.pki
    private static let stack = BackendIdentity(name: "a", library: "A", version: "1")
    private let memory = CertificateMemory()
    private let counted = CountingDigester()

    /// Counts the digests: a certificate that is remembered needs none.
    private final class CountingDigester: Digester {
        private let count = Mutex(0)
        var digests: Int { count.withLock { $0 } }
        var identity: BackendIdentity { SwiftCryptoDigester().identity }
        func sha256(_ bytes: Span<UInt8>) -> PinDigest {
            count.withLock { $0 += 1 }
            return SwiftCryptoDigester().sha256(bytes)
        }
    }

    private func report(_ chain: [[UInt8]], keys: [KeyReading]? = nil) throws -> HandshakeReport {
        var report = HandshakeReport()
        report.chain = chain
        report.keys = try keys ?? chain.map { .spki(Array($0[try CertificateSlices(certificate: $0.span).spki])) }
        return report
    }

    /// Reads a chain and returns how many digests that took.
    private func digests(_ report: HandshakeReport, through stack: BackendIdentity = Self.stack) -> Int {
        let before = counted.digests
        let evidence = memory.presented(report, through: stack, digester: counted)
        #expect(evidence.map(\.der) == report.chain)
        for (evidence, key) in zip(evidence, report.keys) { #expect(evidence.stackKey == key) }
        return counted.digests - before
    }

    @Test func aCertificateIsReadOnce() throws {
        let chain = try Self.pki.identity(.good).chain
        let report = try report(chain)
        let both = digests(report)
        #expect(both > 0 && digests(report) == 0)
        #expect(digests(report, through: BackendIdentity(name: "b", library: "A", version: "1")) == both)
        // What the stack reads in it now is what counts.
        let other = try self.report(chain, keys: [report.keys[1], report.keys[0]])
        #expect(digests(other) == both)
    }

    /// As many leaves as there are servers must not have their issuer read again.
    @Test func leavesDoNotCrowdOutIssuers() throws {
        let issuer = try Self.pki.identity(.good).chain[1]
        let alone = digests(try report([Self.pki.issue(.leaf("first.test")), issuer])) / 2
        for number in 0..<300 {
            #expect(digests(try report([Self.pki.issue(.leaf("n\(number).test")), issuer])) == alone)
        }
    }

    @Test func whatTheStackCouldNotReadIsAskedAgain() throws {
        let chain = try Self.pki.identity(.good).chain
        let unread = try report(chain, keys: [.unreadable("x"), .unreadable("x")])
        #expect(digests(unread) == digests(unread))
        let short = try report(chain, keys: [report(chain).keys[0]])
        #expect(memory.presented(short, through: Self.stack).last?.stackKey != short.keys.last)
    }

    /// A key that was left out means nothing for its certificate, from a stack in this process as from a program.
    @Test(arguments: [(0, "it reported 0 keys of 2"), (1, "it reported 1 key of 2")])
    func aKeyThatWasLeftOutIsTheBackendsFault(reported: Int, message: String) throws {
        let whole = try report(Self.pki.identity(.good).chain)
        let short = try report(whole.chain, keys: Array(whole.keys.prefix(reported)))
        let certificates = memory.presented(short, through: Self.stack)
        #expect(certificates.prefix(reported).map(\.stackKey) == Array(whole.keys.prefix(reported)))
        for certificate in certificates.dropFirst(reported) {
            #expect(certificate.stackKey == .unanswered(message))
            let findings = KeyEncodingsAgree().judge(certificate, at: 0, transport: "a", counts: true)
            #expect(findings.map(\.outcome) == [.internalError] && findings.map(\.code) == ["unanswered-key"])
        }
    }

    /// A signature has a byte or two more or less each time, so that a certificate of one size takes some tries.
    private func issuer(ofBytes count: Int) throws -> [UInt8] {
        var padding = count
        for _ in 0..<1000 {
            var recipe = LabAuthority.intermediate.recipe
            recipe.extensions.append(
                LabExtension(
                    oid: [1, 3, 6, 1, 4, 1, 1, 1], isCritical: false, value: [UInt8](repeating: 5, count: padding)))
            let certificate = try Self.pki.issue(recipe)
            if certificate.count == count { return certificate }
            padding = min(padding, padding - certificate.count + count)
        }
        throw InputError("no certificate has \(count) bytes", remedy: "issue another")
    }

    @Test func aLargeCertificateIsNotKept() throws {
        let leaf = try Self.pki.identity(.good).leaf
        for (count, isKept) in [(8192, true), (8193, false)] {
            let report = try report([leaf, issuer(ofBytes: count)])
            let (first, second) = (digests(report), digests(report))
            #expect((second < first) == isKept, "\(count)")
        }
    }
}
