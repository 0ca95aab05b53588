import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import SwiftASN1
import Testing

/// Advice where a stack refuses a chain that the reference verifier accepts on another path.
@Suite struct SpareCertificateTests {
    private static let pki = TestConnection.pki
    private static let both = "fix the chain so that both accept it: "

    private static func fix(
        _ cause: TrustCause, depth: Int? = nil, sent: [[UInt8]], path: [[UInt8]], anchors: [[UInt8]]? = nil
    ) throws -> String {
        var report = HandshakeReport()
        report.chain = sent
        report.nativeTrust = .refused([.init(cause, "by the stack", depth: depth)])
        func evidence(_ der: [UInt8], _ source: CertificateEvidence.Source) -> CertificateEvidence {
            CertificateEvidence(der: der, source: source, stackKey: .unreadable("not asked"))
        }
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: sent.map { evidence($0, .presented) }
                + path.filter { !sent.contains($0) }.map { evidence($0, .anchor) },
            referenceTrust: .accepted(path: path),
            anchors: TrustAnchors(name: "test", certificates: anchors ?? path.suffix(1)), instant: pki.epoch)
        let findings = TrustedChain().judge(Evidence(connection: connection, model: nil), at: pki.epoch)
        return try #require(findings.first { $0.severity == .error }).fix
    }

    private static func name(_ authority: LabAuthority, _ der: [UInt8]) -> String {
        "'CN=\(authority.recipe.commonName)' (SHA-256 \(PinDigest.sha256(of: der).hex.prefix(12)))"
    }

    private static func issue(
        _ authority: LabAuthority, _ change: (inout LabCertificateRecipe) -> Void
    ) throws -> [UInt8] {
        var recipe = authority.recipe
        change(&recipe)
        return try pki.issue(recipe)
    }

    /// Each of them would be refused by itself, and stands beside the good certificate of the same CA.
    @Test func aCopyOfTheIssuerThatTheRulesRefuseIsLeftOut() throws {
        let path = try TestConnection.path()
        let spares: [(TrustCause, String, [UInt8])] = [
            (
                .weakSignature, "which has a weak signature",
                try TestChain.replacingAlgorithm(of: path[1], with: [1, 2, 840, 10045, 4, 1])
            ),
            (
                .notYetValid, "which is not valid yet",
                try Self.issue(.intermediate) { $0.validity = LabCertificateRecipe.days(1, 9) }
            ),
            (
                .constraintViolated, "which this path does not need",
                try Self.issue(.intermediate) { $0.extensions = [.unknownCritical] }
            ),
        ]
        for (cause, reason, spare) in spares {
            let fix = try Self.fix(cause, depth: 1, sent: [path[0], spare, path[1]], path: path)
            #expect(
                fix == Self.both + "leave \(Self.name(.intermediate, spare)), \(reason), out of what the server sends")
            // The leaf has another problem.
            #expect(try !Self.fix(cause, depth: 0, sent: [path[0], spare, path[1]], path: path).contains("leave "))
        }
    }

    /// A verifier that takes the first certificate with the issuer's name finds that its key did not sign the leaf.
    @Test func aNamesakeIsLeftOutOrSentBehindTheIssuer() throws {
        let path = try TestConnection.path()
        let namesake = try Self.issue(.intermediate) { $0.key = LabKeyID(.p256, "namesake") }
        let fix = try Self.fix(.badSignature, depth: 0, sent: [path[0], namesake, path[1]], path: path)
        #expect(
            fix == Self.both
                + "leave \(Self.name(.intermediate, namesake)), which this path does not need, out of what the server sends, or send it behind \(Self.name(.intermediate, path[1]))"
        )
    }

    /// A root that has ended beside a newer one of the same name.
    @Test func anEndedTwinOfTheAnchorIsTakenOut() throws {
        let path = try TestConnection.path()
        let ended = try Self.issue(.root) { $0.validity = LabCertificateRecipe.days(-30, -1) }
        let sent = Array(path.prefix(2))
        let fix = try Self.fix(.expired, depth: 2, sent: sent, path: path, anchors: [ended, path[2]])
        #expect(fix == Self.both + "take \(Self.name(.root, ended)), which has ended, out of the anchors")
        // A certificate beside the path leads there.
        let cross = try Self.issue(.intermediate) { $0.issuer = .otherRoot }
        #expect(
            try Self.fix(.expired, depth: 2, sent: sent + [cross], path: path)
                == Self.both + "leave out the certificate that leads to the expired one")
        let stranger = try Self.issue(.otherRoot) { $0.validity = LabCertificateRecipe.days(-30, -1) }
        #expect(
            try Self.fix(.expired, depth: 2, sent: sent, path: path, anchors: [stranger, path[2]])
                == Self.both + "move to a root that is valid, and make sure that clients trust it")
    }

    /// So is one of the name with another key; a copy with the key of the path explains no signature.
    @Test func anAnchorOfTheNameWithAnotherKeyIsTakenOut() throws {
        let path = try TestConnection.path()
        let sent = Array(path.prefix(2))
        let namesake = try Self.issue(.root) { $0.key = LabKeyID(.p256, "namesake") }
        let fix = try Self.fix(.badSignature, depth: 1, sent: sent, path: path, anchors: [namesake, path[2]])
        #expect(
            fix == Self.both + "take \(Self.name(.root, namesake)), which this path does not need, out of the anchors")
        let copy = try Self.issue(.root) { $0.validity = LabCertificateRecipe.days(-30, 9) }
        #expect(
            try !Self.fix(.badSignature, depth: 1, sent: sent, path: path, anchors: [copy, path[2]]).contains("take "))
    }

    /// Nothing that is sent explains these.
    @Test func whatIsOnThePathIsNoSpare() throws {
        let path = try TestConnection.path()
        let other = try Self.pki.certificate(of: .otherIntermediate)
        for sent in [[path[0], path[1]], [path[0], path[1], path[1]], [path[0], path[1], other]] {
            for cause in [TrustCause.badSignature, .unknownIssuer, .weakSignature, .hostnameMismatch] {
                let fix = try Self.fix(cause, depth: 1, sent: sent, path: path)
                #expect(!fix.contains("leave "), "\(cause): \(fix)")
            }
        }
    }

    /// A server sends the intermediate below another root, for clients that trust that one; here an anchor has its name.
    @Test func aTwinOfAnAnchorIsNeededByOthers() throws {
        let path = try TestConnection.path()
        let cross = try Self.issue(.intermediate) { $0.issuer = .otherRoot }
        let fix = try Self.fix(.unknownIssuer, depth: 0, sent: [path[0], cross], path: Array(path.prefix(2)))
        #expect(!fix.contains("leave "), "\(fix)")
    }

    /// A stack that takes no leaf for an anchor needs another anchor, not a second copy of this one.
    @Test func anAnchorNeedsNoSecondCopy() throws {
        let leaf = try Self.pki.issue(.leaf("own", issuer: nil))
        let fix = try Self.fix(.selfSigned, depth: 0, sent: [leaf], path: [leaf])
        #expect(
            fix == Self.both
                + "get a certificate from a CA, and give the CA as an anchor: this one is an anchor already")
    }
}
