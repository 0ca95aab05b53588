import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

@Suite struct ExpiresSoonTests {
    private static func findings(
        _ validity: ClosedRange<Int>, issuer: ClosedRange<Int>? = nil, root: ClosedRange<Int>? = nil,
        failingWithin limit: Duration? = nil
    ) throws -> [Finding] {
        let pki = TestConnection.pki
        func authority(_ name: LabAuthority, _ validity: ClosedRange<Int>?) throws -> [UInt8] {
            var recipe = name.recipe
            recipe.validity = validity ?? recipe.validity
            return try pki.issue(recipe)
        }
        let leaf = try pki.issue(.leaf("expires-soon") { $0.validity = validity })
        let path = [leaf, try authority(.intermediate, issuer), try authority(.root, root)]
        return ExpiresSoon(failingWithin: limit).judge(TestConnection.evidence(path: path), at: pki.epoch)
    }

    private static func days(_ first: Int, _ last: Int) -> ClosedRange<Int> { LabCertificateRecipe.days(first, last) }

    @Test("a certificate with four days left is a warning that says so, with the date") func fourDays() throws {
        let finding = try #require(try Self.findings(Self.days(-86, 4)).first)
        #expect(finding.code == "certificate-expires-soon")
        #expect(finding.severity == .warning)
        let end = RFC3339.format(TestConnection.pki.epoch.addingTimeInterval(4 * 86_400))
        #expect(finding.message.contains("ends on \(end), in 4 days"), "\(finding.message)")
        #expect(!finding.fix.isEmpty)
    }

    /// Validity in days around the instant, and whether that is soon without being asked for: within two weeks, or in the
    /// last third of a life shorter than six weeks.
    @Test(arguments: [
        (-75, 15, false), (-76, 14, true), (-33, 14, true), (-31, 16, false),
        (-3, 3, false), (-4, 2, true), (0, 6, false), (-19, 11, false), (-20, 10, true),
    ]) func usualNotice(from: Int, to: Int, isSoon: Bool) throws {
        #expect(try Self.findings(Self.days(from, to)).map(\.severity) == (isSoon ? [.warning] : []))
    }

    @Test func whatIsAskedForFails() throws {
        let limit = Duration.seconds(21 * 86_400)
        let failing = try Self.findings(Self.days(-70, 20), failingWithin: limit)
        #expect(failing.map(\.outcome) == [.trustFailed])
        #expect(failing.map(\.code) == ["certificate-expires-soon"])
        #expect(failing.first?.message.contains("in 20 days, within the 21 days") == true)
        #expect(try Self.findings(Self.days(-68, 22), failingWithin: limit).isEmpty)
        #expect(try Self.findings(Self.days(-3, 3), failingWithin: limit).map(\.severity) == [.error])
        // A requested limit removes no warning.
        #expect(try Self.findings(Self.days(-86, 4), failingWithin: .seconds(86_400)).map(\.severity) == [.warning])
    }

    /// A certificate is valid for the whole of its last second, and ends with it.
    @Test(arguments: [(0, true), (0.5, true), (0.999, true), (1, false)]) func theLastSecondCounts(
        after: Double, isReported: Bool
    ) throws {
        let pki = TestConnection.pki
        let leaf = try pki.issue(.leaf("expires-soon") { $0.validity = Self.days(-30, 0) })
        let path = [leaf, try pki.certificate(of: .intermediate), try pki.certificate(of: .root)]
        let evidence = TestConnection.evidence(path: path, at: pki.epoch.addingTimeInterval(after))
        let found = ExpiresSoon(failingWithin: .seconds(86_400)).judge(evidence, at: pki.epoch)
        #expect(found.map(\.severity) == (isReported ? [.error] : []))
    }

    @Test("every certificate of the path counts, the anchor too, whose end all verifiers judge") func wholePath() throws
    {
        let long = Self.days(-30, 60)
        let found = try Self.findings(long, issuer: Self.days(-365, 5), root: Self.days(-365, 6))
        #expect(found.map { $0.message.prefix(13) } == ["certificate 1", "certificate 2"])
        #expect(Set(found.map(\.fix)).count == 2)
        #expect(try Self.findings(long).isEmpty)
    }

    @Test func whatHasEndedIsTrustsToSay() throws {
        #expect(try Self.findings(Self.days(-90, -1)).isEmpty)
        #expect(try Self.findings(Self.days(-90, 0)).map(\.severity) == [.warning], "the last second counts")
    }

    @Test func theRemedyIsThatOfTheCertificatesPlace() throws {
        let soon = Self.days(-365, 5)
        let found = try Self.findings(soon, issuer: soon, root: soon)
        #expect(found.map { $0.fix.prefix(5) } == ["renew", "renew", "move "])
        let root = TestConnection.pki
        let direct = [
            try root.issue(.leaf("direct", issuer: .root)), try root.issue(LabAuthority.root.recipe.lasting(soon)),
        ]
        let short = ExpiresSoon().judge(TestConnection.evidence(path: direct), at: root.epoch)
        #expect(short.map { $0.fix.prefix(5) } == ["move "], "the root below which the leaf is")
        #expect(found[0].fix.hasPrefix("renew it, ") && found[1].fix.hasPrefix("renew below a CA certificate"))
    }

    /// To the second: the two weeks, the third of a short life, and what was asked for.
    @Test func theLastSecondsCount() throws {
        let day = 86_400
        #expect(try Self.findings(-76 * day...14 * day).count == 1)
        #expect(try Self.findings(-76 * day...14 * day + 1).isEmpty)
        #expect(try Self.findings(-19...10).count == 1)
        #expect(try Self.findings(-18...10).isEmpty)
        let limit = Duration.seconds(20 * day)
        #expect(try Self.findings(-70 * day...20 * day, failingWithin: limit).map(\.severity) == [.error])
        #expect(try Self.findings(-70 * day...20 * day + 1, failingWithin: limit).isEmpty)
    }

    /// Without a path the leaf alone is known to belong there, and a failed handshake is another policy's.
    @Test func whatIsNotOnAPathIsLeftOut() throws {
        let pki = TestConnection.pki
        var issuer = LabAuthority.intermediate.recipe
        issuer.validity = Self.days(-365, 5)
        let path = [
            try pki.issue(.leaf("expires-soon") { $0.validity = Self.days(-86, 4) }), try pki.issue(issuer),
            try pki.certificate(of: .root),
        ]
        let refused = TestConnection.evidence(path: path, isTrusted: false)
        #expect(ExpiresSoon().judge(refused, at: pki.epoch).count == 1)
        #expect(ExpiresSoon().judge(TestConnection.evidence(path: path), at: pki.epoch).count == 2)
        var report = HandshakeReport(failure: HandshakeFailure(.protocolError, "it failed"))
        report.chain = path
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: path.map { CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("")) },
            referenceTrust: nil, anchors: .none, instant: pki.epoch)
        #expect(ExpiresSoon().judge(Evidence(connection: connection, model: nil), at: pki.epoch).isEmpty)
    }
}

extension LabCertificateRecipe {
    fileprivate func lasting(_ validity: ClosedRange<Int>) -> LabCertificateRecipe {
        var copy = self
        copy.validity = validity
        return copy
    }
}
