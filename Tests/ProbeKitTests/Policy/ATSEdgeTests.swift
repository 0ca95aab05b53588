import Foundation
import ProbeKit
import ProbeLab
import Testing
import X509

@testable import ProbeTrust

/// App Transport Security where a chain is not the usual one: a leaf that is an anchor, roots in between, what can't be read.
@Suite struct ATSEdgeTests {
    private static let pki = TestConnection.pki
    private static let day = 86_400

    private static func findings(_ path: [[UInt8]], isTrusted: Bool = true) -> [Finding] {
        ATSPolicy().judge(TestConnection.evidence(path: path, isTrusted: isTrusted), at: pki.epoch)
    }

    private static func codes(_ path: [[UInt8]]) -> [String] {
        findings(path).filter { $0.severity != .note }.map(\.code)
    }

    private static func weak(_ label: String) throws -> [UInt8] {
        try pki.issue(.leaf(label, issuer: nil) { $0.key = LabKeyID(.rsa1024, "leaf") })
    }

    @Test func aLeafThatIsAnAnchorIsJudged() throws {
        let own = try Self.weak("own")
        #expect(Self.codes([own, own]).contains("ats-key-size"))
    }

    /// Its signature proves nothing, and nothing depends on it.
    @Test func aRootInBetweenIsNotJudged() throws {
        let path = try TestConnection.path()
        #expect(Self.codes([path[0], try Self.weak("between"), path[2]]) == [])
    }

    @Test func whatCanNotBeReadIsNamed() throws {
        let path = try TestConnection.path()
        var certificate = EditableDER(path[0])
        // A second 60 has no form in RFC 5280.
        certificate[0, 4, 0] = EditableDER(23, bytes: Array("260101000060Z".utf8))
        let unread = Self.findings([certificate.encoded] + path.dropFirst())
        #expect(unread.map(\.code) == ["ats-certificate-unreadable"], "\(unread)")
        #expect(unread.first?.message.hasPrefix("the leaf can't be read: ") == true)
        let nothing = Self.findings([[0x30, 0]] + path.dropFirst())
        #expect(nothing.map(\.code) == ["ats-certificate-unreadable", "ats-certificate-unreadable"], "\(nothing)")
    }

    @Test func aMailboxNamesNoServer() throws {
        let leaf = LabCertificateRecipe.leaf("mail") {
            $0.dnsNames = []
            if let names = try? TestChain.names([.rfc822Name("me@a.test")]) { $0.extensions.append(names) }
        }
        #expect(Self.codes(try TestConnection.path(leaf)) == ["ats-alternative-name"])
    }

    @Test func theScheduleToleratesNoSecondMore() {
        let start = Date(timeIntervalSince1970: 1_900_000_000)
        for limit in ATSLifetime.schedule {
            let whole = TimeInterval(limit.days * Self.day)
            #expect(limit.judge(notBefore: start, notAfter: start + whole - 1) == .within)
            #expect(limit.judge(notBefore: start, notAfter: start + whole) == .tolerated)
            #expect(limit.judge(notBefore: start, notAfter: start + whole + 1) == .exceeded)
        }
        #expect(ATSLifetime.days(notBefore: start, notAfter: start + TimeInterval(10 * Self.day - 1)) == 10)
        #expect(ATSLifetime.days(notBefore: start, notAfter: start + TimeInterval(10 * Self.day)) == 11)
    }

    @Test func whatWasNotSeenIsNotSatisfied() throws {
        let path = try TestConnection.path()
        let seen = TestConnection.evidence(path: path)
        #expect(ATSPolicy().judge(seen, at: Self.pki.epoch).map(\.code) == ["ats-satisfied"])
        let connection = try #require(seen.connection)
        func judge(missing: Set<TransportCapability>, _ change: (inout HandshakeReport) -> Void) -> [Finding] {
            var report = connection.report
            change(&report)
            let other = ConnectionEvidence(
                transport: connection.transport, report: report, missing: missing,
                certificates: connection.certificates, referenceTrust: connection.referenceTrust,
                anchors: connection.anchors, instant: connection.instant)
            return ATSPolicy().judge(Evidence(connection: other, model: nil), at: Self.pki.epoch)
        }
        #expect(judge(missing: [.trustEvaluation]) { _ in } == [])
        #expect(judge(missing: []) { $0.failure = HandshakeFailure(.connectionClosed, "it closed") } == [])
    }

    @Test func theNoteSaysWhoseLifetimesAndOfWhat() throws {
        let path = try TestConnection.path()
        for (areSystem, words) in [(true, "the system's anchors"), (false, "added anchors")] {
            let note = ATSPolicy(anchorsAreSystem: areSystem).judge(
                TestConnection.evidence(path: path), at: Self.pki.epoch)
            #expect(
                note.first?.message
                    == "the connection satisfies App Transport Security, with the lifetimes for \(words)")
        }
    }

    @Test(arguments: [
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    ])
    func suitesThatAppleImplementsAreTaken(suite: String) throws {
        let evidence = TestConnection.evidence(path: try TestConnection.path(), version: .tls12, suite: suite)
        #expect(ATSPolicy().judge(evidence, at: Self.pki.epoch).allSatisfy { $0.severity == .note })
    }
}
