import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeTrust
import Testing

/// Pins on the paths of the stack and of the reference verifier, on evidence made by hand. The scenarios `tls/paths` hold
/// every backend to the same.
@Suite struct PathPinsTests {
    private static let pki = TestConnection.pki
    private let leaf: [UInt8]
    private let first: [UInt8]
    private let second: [UInt8]
    private let root: [UInt8]
    private let otherRoot: [UInt8]

    init() throws {
        leaf = try Self.pki.identity(.twinIssuers).leaf
        (first, second) = try (Self.pki.certificate(of: .unmarkedTwin), Self.pki.certificate(of: .markedTwin))
        (root, otherRoot) = try (Self.pki.certificate(of: .root), Self.pki.certificate(of: .otherRoot))
    }

    private func evidence(
        native: TrustReading?, reference: TrustReading?, further: FurtherPaths = .none,
        presenting extra: [[UInt8]] = [], time: ServerTime? = nil
    ) -> Evidence {
        var report = HandshakeReport()
        report.chain = [leaf, first, second] + extra
        report.nativeTrust = native
        let anchors = [root, otherRoot]
        let certificates = (report.chain + anchors).map {
            CertificateEvidence(
                der: $0, source: anchors.contains($0) ? .anchor : .presented, stackKey: .unreadable("not asked"))
        }
        return Evidence(
            connection: ConnectionEvidence(
                transport: BackendIdentity(name: "stack", library: "none", version: "0"), report: report, missing: [],
                certificates: certificates, referenceTrust: reference, further: further,
                anchors: TrustAnchors(name: "test", certificates: anchors), instant: Self.pki.epoch, serverTime: time),
            model: nil)
    }

    private func group(
        _ kind: PinKind, of certificates: [UInt8]..., at position: PinPosition = .ca, in chain: PinChain = .validated,
        window: TransitionWindow? = nil
    ) throws -> PinGroup {
        let pins = try certificates.map {
            Pin(
                kind: kind,
                digest: try CertificateDigests(certificate: $0.span, digester: SwiftCryptoDigester())[kind])
        }
        return PinGroup(pins, position: position, chain: chain, window: window)
    }

    private func judge(_ groups: [PinGroup], _ evidence: Evidence, trust: TrustMode = .both) -> [Finding] {
        PinsMatch(groups, trust: trust).judge(evidence, at: Self.pki.epoch)
    }

    private var divided: Evidence {
        evidence(native: .accepted(path: [leaf, first, root]), reference: .accepted(path: [leaf, second, otherRoot]))
    }

    @Test func bothPathsAreNamedAndWhatTheyShareIsAdvised() throws {
        let finding = try #require(judge([try group(.spki, of: root)], divided).first)
        #expect(finding.code == "paths-differ" && finding.outcome == .stacksDisagree)
        let (one, two) = (PinDigest.sha256(of: first).hex.prefix(12), PinDigest.sha256(of: second).hex.prefix(12))
        #expect(
            finding.message
                == "the pins of spki@ca hold on the path of stack, 'CN=good.test' > 'CN=ProbeKit Lab Twin' (SHA-256 \(one)) > 'CN=ProbeKit Lab Root', and not on that of the reference verifier, 'CN=good.test' > 'CN=ProbeKit Lab Twin' (SHA-256 \(two)) > 'CN=ProbeKit Lab Other Root'"
        )
        let shared = try #require(try group(.spki, of: first).pins.first)
        #expect(finding.fix.contains("spki@ca:sha256:\(shared.digest.base64)"))
        #expect(finding.remedy.steps == [.pin(shared, .ca), .serveOnePath])
    }

    @Test func aStackThatDoesNotShowItsPathSaysSo() throws {
        let hidden = evidence(native: .accepted(path: nil), reference: .accepted(path: [leaf, second, otherRoot]))
        let group = try group(.spki, of: otherRoot)
        #expect(judge([group], hidden).map(\.code) == ["pin-matched", "path-not-shown"])
        // The stack alone was asked, and its path is not known.
        #expect(judge([group], hidden, trust: .native).map(\.code).prefix(1) == ["pin-mismatch"])
        #expect(judge([group], hidden, trust: .reference).map(\.code) == ["pin-matched"])
        // The leaf is on every path.
        let leafGroup = try self.group(.spki, of: leaf, at: .leaf)
        #expect(judge([leafGroup], hidden).map(\.code) == ["pin-matched"])
    }

    /// A program may claim any path; one with a certificate from elsewhere proves nothing about this server.
    @Test func aPathOfOtherCertificatesIsNotShown() throws {
        let foreign = try Self.pki.certificate(of: .otherIntermediate)
        for path in [[leaf, foreign, root], [first, root], [leaf, second, foreign], [leaf, first]] {
            let claimed = evidence(
                native: .accepted(path: path), reference: .accepted(path: [leaf, second, otherRoot]))
            let codes = judge([try group(.spki, of: root, foreign)], claimed).map(\.code)
            #expect(codes == ["pin-mismatch", "path-not-shown"])
        }
    }

    @Test func aRefusedPathCountsForNothing() throws {
        let refused = TrustReading.refused([.init(.other, "by the test")])
        let mixed = evidence(native: refused, reference: .accepted(path: [leaf, second, otherRoot]))
        #expect(judge([try group(.spki, of: root)], mixed).first?.code == "pin-mismatch")
        #expect(judge([try group(.spki, of: otherRoot)], mixed).first?.code == "pin-matched")
        #expect(judge([try group(.spki, of: otherRoot)], mixed, trust: .native).first?.code == "pin-mismatch")
        let nobody = evidence(native: refused, reference: refused)
        #expect(judge([try group(.spki, of: first)], nobody).first?.code == "pin-mismatch")
    }

    /// A stack that gave no decision refused nothing, so that a window still waits for the server's time.
    @Test func aMissingDecisionFailsNothingAnyway() throws {
        let window = TransitionWindow(start: Self.pki.epoch, end: Self.pki.epoch, fallback: .system)
        let certificate = try group(.cert, of: root, at: .leaf, window: window)
        func codes(_ native: TrustReading) -> [String] {
            judge([certificate], evidence(native: native, reference: .accepted(path: [leaf, first, root]))).map(\.code)
        }
        #expect(codes(.unanswered("it hung")) == ["transition-unproven"])
        #expect(codes(.refused([.init(.other, "by the test")])) == ["pin-mismatch"])
    }

    @Test func thoseWhoTakeAnotherPathAreNamed() throws {
        let path = [leaf, first, root]
        let further = FurtherPaths([[leaf, second, otherRoot]], isComplete: true)
        let both = evidence(native: .accepted(path: path), reference: .accepted(path: path), further: further)
        let (root, otherRoot) = (root, otherRoot)
        let policy = PinsMatch([try group(.spki, of: root)]) { anchor, usual in
            anchor == otherRoot && usual == [root] ? "it is the only one for store@1" : nil
        }
        let finding = policy.judge(both, at: Self.pki.epoch).last
        #expect(finding?.code == "pin-depends-on-path")
        #expect(finding?.message.hasSuffix("takes; it is the only one for store@1") == true)
        // With pins that hold on both, nobody is asked about.
        let silent = PinsMatch([try group(.spki, of: first)]) { _, _ in "never" }
        #expect(silent.judge(both, at: Self.pki.epoch).map(\.code) == ["pin-matched"])
    }

    @Test func everyOtherValidPathCounts() throws {
        let path = [leaf, first, root]
        let further = FurtherPaths([[leaf, second, otherRoot]], isComplete: true)
        let both = evidence(native: .accepted(path: path), reference: .accepted(path: path), further: further)
        let findings = judge([try group(.spki, of: root)], both)
        #expect(findings.map(\.code) == ["pin-matched", "pin-depends-on-path"])
        #expect(findings.last?.severity == .warning)
        #expect(
            findings.last?.message.contains(
                "which a client that trusts 'CN=ProbeKit Lab Other Root' and not 'CN=ProbeKit Lab Root', or prefers it, takes"
            ) == true)
        #expect(judge([try group(.spki, of: second)], both).map(\.code) == ["pin-matched"])
        let more = evidence(
            native: .accepted(path: path), reference: .accepted(path: path),
            further: FurtherPaths([], isComplete: false))
        #expect(judge([try group(.spki, of: root)], more).map(\.code) == ["pin-matched", "paths-not-searched"])
        #expect(judge([try group(.spki, of: leaf, at: .leaf)], more).map(\.code) == ["pin-matched"])
    }

    @Test func furtherPathsAreCounted() throws {
        func message(_ paths: [[[UInt8]]]) throws -> String {
            let path = [leaf, first, root]
            let both = evidence(
                native: .accepted(path: path), reference: .accepted(path: path),
                further: FurtherPaths(paths, isComplete: true))
            return try #require(judge([try group(.spki, of: root)], both).last).message
        }
        let one = [leaf, second, otherRoot]
        let two = [leaf, first, otherRoot]
        #expect(try message([one]).hasSuffix("or prefers it, takes"))
        #expect(try message([one, two]).hasSuffix("or prefers it, takes, nor on 1 more"))
        #expect(try message([one, two, [leaf, otherRoot]]).hasSuffix(", nor on 2 more"))
    }

    /// The name of one of the intermediates, which both have.
    private func twin(_ certificate: [UInt8]) -> String {
        "'CN=ProbeKit Lab Twin' (SHA-256 \(PinDigest.sha256(of: certificate).hex.prefix(12)))"
    }

    /// A server chooses between intermediates that it sends, and not between the anchors of its clients.
    @Test func theCertificatesAtWhichPathsPartAreNamed() throws {
        let path = [leaf, first, root]
        func fix(_ further: [[[UInt8]]]) throws -> [String] {
            let both = evidence(
                native: .accepted(path: path), reference: .accepted(path: path),
                further: FurtherPaths(further, isComplete: true))
            let expectation = CertificateExpectation(name: "ca.pem", certificates: [root], position: .ca)
            return [
                try #require(judge([try group(.spki, of: root)], both).last).fix,
                try #require(CertificateMatches([expectation]).judge(both, at: Self.pki.epoch).last).fix,
            ]
        }
        let words = ": leave out \(twin(second)), keep \(twin(first))"
        #expect(try fix([[leaf, second, otherRoot]]).allSatisfy { $0.hasSuffix(words) })
        #expect(try fix([[leaf, first, otherRoot]]).allSatisfy { $0.hasSuffix("all of them have") })
    }

    /// Pins of certificates that one path has, and the other has not, are not advised.
    @Test func pathsThatShareNothingGetNoPinInCommon() throws {
        let finding = try #require(judge([try group(.cert, of: root)], divided).first)
        #expect(
            finding.fix
                == "configure the server to send only the intermediates of one path: leave out \(twin(second)), keep \(twin(first)), or pin something of each of them"
        )
    }

    /// Pins of both paths are as wide as both.
    @Test func theScopeNamesEachAnchorOnce() throws {
        let scope = "effective scope: any certificate issued under "
        let both = try #require(judge([try group(.spki, of: root, otherRoot)], divided).first)
        #expect(both.message.hasSuffix(scope + "'CN=ProbeKit Lab Root' or 'CN=ProbeKit Lab Other Root'"))
        let one = evidence(
            native: .accepted(path: [leaf, first, root]), reference: .accepted(path: [leaf, second, root]))
        let same = try #require(judge([try group(.spki, of: root)], one).first)
        #expect(same.message.hasSuffix(scope + "'CN=ProbeKit Lab Root'"))
    }

    @Test func aPathIsMissedOnlyWhereTheStackAccepts() throws {
        let reference = TrustReading.accepted(path: [leaf, second, otherRoot])
        let group = try group(.spki, of: otherRoot)
        #expect(judge([group], evidence(native: nil, reference: reference)).map(\.code) == ["pin-matched"])
        let hidden = evidence(native: .accepted(path: nil), reference: reference)
        #expect(judge([group], hidden).last?.message.hasSuffix("on the reference verifier's path alone") == true)
        #expect(judge([group], hidden, trust: .native).last?.message.hasSuffix("in the leaf alone") == true)
        // Nothing beside the leaf, or beside what was sent, can be missed.
        let presented = try self.group(.spki, of: leaf, at: .any, in: .presented)
        #expect(judge([presented], hidden).map(\.code) == ["pin-matched"])
        let first = try self.group(.spki, of: leaf, at: .first(1))
        #expect(judge([first], hidden).map(\.code) == ["pin-matched"])
        let second = try self.group(.spki, of: leaf, at: .first(2))
        #expect(judge([second], hidden).map(\.code) == ["pin-matched", "path-not-shown"])
    }

    /// A key that was sent and is on a valid path vouches like one that was found on the path.
    @Test func whatWasSentAndValidatedVouches() throws {
        let path = [leaf, first, root]
        let valid = evidence(
            native: .accepted(path: path), reference: .accepted(path: path), time: .known(Self.pki.epoch, skew: 0))
        let key = try group(.spki, of: first, in: .presented)
        let window = TransitionWindow(start: Self.pki.epoch, end: Self.pki.epoch)
        let certificate = try group(.cert, of: root, at: .leaf, window: window)
        #expect(judge([key, certificate], valid).map(\.code) == ["pin-matched", "transition"])
    }

    /// A window relaxes a failure on one path like one on both; the vouching keys have to match on both.
    @Test func aWindowCoversBothPaths() throws {
        let now = Self.pki.epoch
        let window = TransitionWindow(start: now, end: now)
        let certificate = try group(.cert, of: first, window: window)
        let evidence = evidence(
            native: .accepted(path: [leaf, first, root]), reference: .accepted(path: [leaf, second, otherRoot]),
            time: .known(now, skew: 0))
        #expect(
            judge([try group(.spki, of: first), certificate], evidence).map(\.code) == ["pin-matched", "transition"])
        let codes = judge([try group(.spki, of: root), certificate], evidence).map(\.code)
        #expect(codes == ["paths-differ", "paths-differ"])
        #expect(judge([try group(.spki, of: first), certificate], divided).map(\.code).last == "transition-unproven")
    }

    @Test func whatWasOnlySentAlongIsAWarningAndVouchesForNothing() throws {
        let appended = try Self.pki.certificate(of: .otherIntermediate)
        let path = [leaf, first, root]
        let evidence = evidence(
            native: .accepted(path: path), reference: .accepted(path: path), presenting: [appended],
            time: .known(Self.pki.epoch, skew: 0))
        let key = try group(.spki, of: appended, in: .presented)
        let findings = judge([key], evidence)
        #expect(findings.map(\.code) == ["pin-not-validated"])
        #expect(Verdict(findings).outcome == .passWithWarnings)
        #expect(!findings[0].message.contains("effective scope"))
        let both = judge([try group(.spki, of: appended, first, in: .presented)], evidence)
        #expect(both.map(\.code) == ["pin-matched"])
        #expect(both[0].message.hasSuffix("effective scope: any certificate issued under 'CN=ProbeKit Lab Twin'"))
        let window = TransitionWindow(start: Self.pki.epoch, end: Self.pki.epoch)
        let certificate = try group(.cert, of: appended, at: .leaf, window: window)
        #expect(judge([key, certificate], evidence).map(\.code).last == "no-alternate-key")
    }

    @Test func anExpectedCertificateIsOnBothPathsOrReported() throws {
        func judge(_ certificate: [UInt8], trust: TrustMode = .both) -> [Finding] {
            CertificateMatches(
                [CertificateExpectation(name: "ca.pem", certificates: [certificate], position: .ca)], trust: trust
            ).judge(divided, at: Self.pki.epoch)
        }
        #expect(judge(second).map(\.code) == ["paths-differ"])
        #expect(judge(second, trust: .native).map(\.code) == ["certificate-differs"])
        #expect(judge(second, trust: .reference).map(\.code) == ["certificate-matched", "pin-depends-on-path"])
        #expect(judge(try Self.pki.certificate(of: .otherIntermediate)).map(\.code) == ["certificate-differs"])
    }

    /// An anchor of another valid path is not missing because it was not sent.
    @Test func aPinOfAnotherValidPathIsCalledThat() throws {
        let path = [leaf, first, root]
        let both = evidence(
            native: .accepted(path: path), reference: .accepted(path: path),
            further: FurtherPaths([[leaf, second, otherRoot]], isComplete: true))
        let finding = try #require(judge([try group(.cert, of: otherRoot)], both).first)
        #expect(
            finding.message.hasSuffix(
                "'CN=ProbeKit Lab Other Root', which is on another valid path, where this group does not look"))
        #expect(
            finding.fix
                == "configure the server to send only the intermediates of one path: leave out \(twin(first)), keep \(twin(second)), or pin something of each of them"
        )
    }

    @Test func anExpectedCertificateThatWasOnlySentAlongIsAWarning() throws {
        let appended = try Self.pki.certificate(of: .otherIntermediate)
        let path = [leaf, second, otherRoot]
        let further = FurtherPaths([[leaf, first, root]], isComplete: true)
        let evidence = evidence(
            native: .accepted(path: path), reference: .accepted(path: path), further: further, presenting: [appended])
        func judge(_ certificates: [UInt8]..., in chain: PinChain = .presented) -> [Finding] {
            CertificateMatches([CertificateExpectation(name: "a.pem", certificates: certificates, chain: chain)])
                .judge(evidence, at: Self.pki.epoch)
        }
        #expect(judge(appended).map(\.code) == ["pin-not-validated"])
        #expect(Verdict(judge(appended)).outcome == .passWithWarnings)
        #expect(judge(appended, second).map(\.code) == ["certificate-matched"])
        #expect(judge(second, in: .validated).map(\.code) == ["certificate-matched", "pin-depends-on-path"])
        #expect(judge(leaf, in: .validated).map(\.code) == ["certificate-matched"])
    }

    /// The client of the emulation is on one of the paths.
    @Test func anEmulatedNameIsLookedForOnBothPaths() throws {
        let named = try Self.pki.certificate(of: .named)
        let wild = try Self.pki.identity(.wildcard).leaf
        func judge(native: [[UInt8]], reference: [[UInt8]]) throws -> [String] {
            var report = HandshakeReport()
            report.chain = [wild, named, first]
            report.nativeTrust = .accepted(path: native)
            let connection = ConnectionEvidence(
                transport: BackendIdentity(name: "stack", library: "none", version: "0"), report: report, missing: [],
                certificates: (report.chain + [root]).map {
                    CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("not asked"))
                }, referenceTrust: .accepted(path: reference),
                anchors: TrustAnchors(name: "test", certificates: [root]), instant: Self.pki.epoch)
            return EmulatedName(try ServerName("www.wild.test")).judge(
                Evidence(connection: connection, model: nil), at: Self.pki.epoch
            ).map { "\($0.severity.rawValue) \($0.code)" }
        }
        let paths = ([wild, named, root], [wild, first, root])
        #expect(try judge(native: paths.0, reference: paths.1) == ["error emulation-differs"])
        #expect(try judge(native: paths.1, reference: paths.0) == ["error emulation-differs"])
    }

    /// A key group that holds on one path alone has failed, whatever certificate groups come after it.
    @Test func aDividedKeyGroupVouchesForNothing() throws {
        let now = Self.pki.epoch
        let evidence = evidence(
            native: .accepted(path: [leaf, first, root]), reference: .accepted(path: [leaf, second, otherRoot]),
            time: .known(now, skew: 0))
        let window = TransitionWindow(start: now, end: now)
        let relaxed = try group(.cert, of: root, at: .leaf, window: window)
        let (matching, dividedKey) = (try group(.spki, of: leaf, at: .leaf), try group(.spki, of: root))
        let dividedCertificate = try group(.cert, of: root)
        #expect(judge([matching, relaxed], evidence).map(\.code) == ["pin-matched", "transition"])
        #expect(judge([matching, dividedKey, relaxed], evidence).map(\.code).last == "no-alternate-key")
        #expect(judge([matching, dividedCertificate, relaxed], evidence).map(\.code).last == "transition")
        let failing = try group(.spki, of: first, at: .leaf)
        let codes = judge([matching, failing, dividedCertificate, relaxed], evidence).map(\.code)
        #expect(codes.last == "no-alternate-key")
    }

    /// A certificate that is sent twice is on the path with both copies, whatever place the path names.
    @Test func aCopyIsTheSameCertificate() throws {
        let sentTwice = evidence(
            native: nil, reference: .accepted(path: [leaf, first, root]), presenting: [first, leaf])
        let connection = try #require(sentTwice.connection)
        // Behind the five that were sent come the root of the path and one of no path.
        #expect(connection.onValidPaths == [0, 1, 3, 4, 5])
        let group = try group(.spki, of: first, at: .ca, in: .presented)
        #expect(judge([group], sentTwice, trust: .reference).map(\.code) == ["pin-matched"])
    }
}
