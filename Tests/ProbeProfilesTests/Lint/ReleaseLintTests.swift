import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeProfiles
import ProbeTestSupport
import Testing

/// A served certificate that ends before the next release, and what clients in the field accept after it: the lab's ends on
/// 2026-04-30, and the renewed one on 2026-05-29.
@Suite(.bounded) struct ReleaseLintTests {
    private static let release = "2026-06-15T00:00:00Z"

    private struct Chains {
        let good: ConnectionEvidence
        let renewed: ConnectionEvidence
        let lab: LintChains

        init() async throws {
            lab = try LintChains()
            good = try await lab.served()
            renewed = try await lab.served(.renewedSameKey)
        }

        /// Returns the finding for the good chain.
        func finding(
            _ service: String, _ format: ProfileFormat = .nativeYAML, compared: [CertificateEvidence]? = nil,
            pinning: String = "enforce", release: Date? = nil
        ) throws -> LintFinding {
            let text =
                "profile: 1\nunlistedHost: system\nenvironments: {e: {pinning: \(pinning), services: {api: {url: good.test, \(service)}}}}"
            let release = try release ?? RFC3339.parse(ReleaseLintTests.release)
            var facts = LintFacts(chains: ["e/api": good], nextRelease: release)
            if let compared { facts.compared = ["e/api": compared] }
            let found = ProfileLint(try ProfileFile.parse(text, from: "app.yaml"), facts: facts, format: format)
                .findings(at: lab.pki.epoch)
            return try #require(found.first { $0.code == "certificate-ends-before-release" })
        }
    }

    private static func set(_ members: String..., position: String = "leaf") -> String {
        sets(members, position: position)
    }

    /// Returns several sets, each of which has to match.
    private static func sets(_ sets: [String]..., position: String = "leaf", enforce: [Bool] = []) -> String {
        let texts = sets.enumerated().map { index, members in
            let isEnforced = index < enforce.count ? enforce[index] : true
            return "{position: \(position), enforce: \(isEnforced), anyOf: [\(members.joined(separator: ", "))]}"
        }
        return "pins: [\(texts.joined(separator: ", "))]"
    }

    private static func expectSuccessor(
        _ finding: LintFinding, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(finding.severity == .warning, "\(finding.message)", sourceLocation: sourceLocation)
        #expect(finding.fix.hasPrefix("deploy the pinned successor"), "\(finding.fix)", sourceLocation: sourceLocation)
    }

    private static func expectLost(_ finding: LintFinding, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(finding.severity == .error, "\(finding.fix)", sourceLocation: sourceLocation)
        #expect(finding.message.hasSuffix("shipped clients know no certificate that could follow it"))
    }

    /// The state that the remedy of single-certificate-pin asks for is not an error.
    @Test("a certificate that is pinned beside the served one can follow it") func successors() async throws {
        let chains = try await Chains()
        let served = "\"\(try chains.lab.pin(.cert, 0, of: chains.good))\""
        let next = "\"\(try chains.lab.pin(.cert, 0, of: chains.renewed))\""
        for format in [ProfileFormat.certColon, .wultra, .pemCert] {
            Self.expectSuccessor(try chains.finding(Self.set(served, next), format))
        }
        // In our own format it has to be marked: else it may be the one before.
        Self.expectLost(try chains.finding(Self.set(served, next), .nativeYAML))
        Self.expectSuccessor(try chains.finding(Self.set(served, "{pin: \(next), backup: true}")))
        Self.expectLost(try chains.finding(Self.set(served)))
        // A pin of the chain's own intermediate, where only the leaf is looked at, waits for nothing.
        let intermediate = "\"\(try chains.lab.pin(.cert, 1, of: chains.good))\""
        Self.expectLost(try chains.finding(Self.set(served, intermediate), .certColon))
        Self.expectLost(try chains.finding(Self.set(served, "{pin: \(next), backup: true, expires: 2026-04-29}")))
        Self.expectLost(try chains.finding(Self.set(served, "{pin: \(next), backup: true, commonName: other.test}")))
        Self.expectSuccessor(
            try chains.finding(Self.set(served, "{pin: \(next), backup: true, commonName: good.test}")))
        #expect(try chains.finding(Self.set(served), pinning: "report").severity == .warning)
    }

    @Test("a pinned certificate of a CA outlasts the leaf") func authorities() async throws {
        let chains = try await Chains()
        let finding = try chains.finding(
            Self.set("\"\(try chains.lab.pin(.cert, 1, of: chains.good))\"", position: "ca"))
        #expect(finding.severity == .warning && finding.fix.hasPrefix("renew under the certificate that is pinned"))
    }

    @Test("a pinned certificate of a CA that ends before the release is followed by none that clients know")
    func endingAuthorities() async throws {
        let chains = try await Chains()
        let authority = Self.set("\"\(try chains.lab.pin(.cert, 1, of: chains.good))\"", position: "ca")
        let end = try #require(chains.good.certificates[1].details?.notAfter)
        Self.expectLost(try chains.finding(authority, release: end.addingTimeInterval(1)))
        // Its last second is still one of it.
        #expect(try chains.finding(authority, release: end).severity == .warning)
    }

    @Test("what is only reported loses no client, whatever the environment does") func reportedSets() async throws {
        let chains = try await Chains()
        let served = "\"\(try chains.lab.pin(.cert, 0, of: chains.good))\""
        let next = "{pin: \"\(try chains.lab.pin(.cert, 0, of: chains.renewed))\", backup: true}"
        let reported = try chains.finding(Self.sets([served], enforce: [false]))
        #expect(reported.severity == .warning && reported.fix.hasPrefix("ship the next certificate's pin"))
        #expect(try chains.finding(Self.sets([served], [served, next], enforce: [false, true])).severity == .warning)
        Self.expectLost(try chains.finding(Self.sets([served], [served, next], enforce: [true, false])))
    }

    @Test("each set has to match: the one that knows least decides") func severalSets() async throws {
        let chains = try await Chains()
        let served = "\"\(try chains.lab.pin(.cert, 0, of: chains.good))\""
        let key = "\"\(try chains.lab.pin(.spki, 0, of: chains.good))\""
        let next = "{pin: \"\(try chains.lab.pin(.cert, 0, of: chains.renewed))\", backup: true}"
        for sets in [[[served, next], [served]], [[served], [served, next]], [[key], [served]]] {
            Self.expectLost(try chains.finding(Self.sets(sets[0], sets[1])))
        }
        for sets in [[[key], [served, next]], [[served, next], [key]]] {
            Self.expectSuccessor(try chains.finding(Self.sets(sets[0], sets[1])))
        }
    }

    @Test("a set with a pin of a key is met by a renewal with that key") func mixedSets() async throws {
        let chains = try await Chains()
        let served = "\"\(try chains.lab.pin(.cert, 0, of: chains.good))\""
        let key = "\"\(try chains.lab.pin(.spki, 0, of: chains.good))\""
        for set in [Self.set(served, key), Self.set(key, served), Self.set(key)] {
            let finding = try chains.finding(set)
            #expect(
                finding.severity == .warning && finding.fix.hasPrefix("renew with a key that is pinned"), "\(finding)")
        }
    }

    @Test("of the files that a service is compared with, another may follow") func compared() async throws {
        let chains = try await Chains()
        let (served, next) = (chains.good.certificates[0], chains.renewed.certificates[0])
        Self.expectLost(try chains.finding("certificates: [a.pem]"))
        Self.expectSuccessor(try chains.finding("certificates: [a.pem, b.pem]"))
        // What the files have counts, and not how many they are.
        Self.expectSuccessor(try chains.finding("certificates: [both.pem]", compared: [served, next]))
        Self.expectLost(try chains.finding("certificates: [a.pem, copy.pem]", compared: [served, served]))
        let ended = try await chains.lab.served(.expired).certificates[0]
        Self.expectLost(try chains.finding("certificates: [a.pem, old.pem]", compared: [served, ended]))
    }
}
