import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeProfiles
import Testing

/// Rules that compare pins with the served chain.
@Suite struct ServedLintTests {
    private func findings(
        _ set: String, _ served: ConnectionEvidence, facts: LintFacts = LintFacts(), prefix: String = ""
    ) throws -> [LintFinding] {
        var facts = facts
        facts.chains = ["api": served]
        return try Linted.findings(
            prefix + "services: {api: {url: good.test, pins: [{\(set)}]}}", facts: facts)
    }

    private func codes(_ set: String, _ served: ConnectionEvidence) throws -> [String] {
        try findings(set, served).map(\.code)
    }

    /// The end of Lutheran Radio's pins: a key that was retired stayed, and no backup was shipped.
    @Test("[R39] a pin of nothing that is served is stale") func stale() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let good = try lab.pin(.spki, 0, of: served)
        let retired = "\"\(Pins.text(1))\""
        #expect(try codes("position: leaf, anyOf: [\"\(good)\", \(retired)]", served).contains("stale-pin"))
        let marked = try codes("position: leaf, anyOf: [\"\(good)\", {pin: \(retired), backup: true}]", served)
        #expect(!marked.contains("stale-pin"))
        let lost = try findings("position: leaf, anyOf: [\(retired)]", served)
        #expect(lost.first?.code == "no-pin-matches")
        #expect(lost.first?.severity == .error)
        #expect(lost.map(\.code).contains("no-backup-pin"))
        #expect(!marked.contains("no-pin-matches"))
    }

    /// A chain from a file is not what a server presents, which may be what another pin is of.
    @Test func suppliedChainsAreNotServed() async throws {
        let lab = try LintChains()
        let supplied = try await lab.served()
        let good = "\"\(try lab.pin(.spki, 0, of: supplied))\""
        let other = "\"\(Pins.text(1))\""
        func finding(_ code: String, _ pins: String, areSupplied: Bool = true) throws -> LintFinding {
            var facts = LintFacts()
            facts.areSupplied = areSupplied
            let found = try findings("position: leaf, anyOf: [\(pins)]", supplied, facts: facts)
            return try #require(found.first { $0.code == code })
        }
        for (code, pins) in [
            ("stale-pin", "\(good), \(other)"), ("no-pin-matches", other),
            ("backup-in-chain", "\(other), {pin: \(good), backup: true}"),
        ] {
            let (file, live) = (try finding(code, pins), try finding(code, pins, areSupplied: false))
            #expect(file.message.contains("the chain that was given"), "\(file.message)")
            #expect(!(file.message + file.fix).contains("serve"), "\(file.message); \(file.fix)")
            #expect(live.message.contains("serve"), "\(live.message)")
            #expect(file.severity == live.severity)
        }
        #expect(
            try finding("stale-pin", "\(good), \(other)").fix.hasPrefix("keep it as long as its certificate is in use"))
        #expect(try finding("no-pin-matches", other).fix == "compare with 'probe pins FILE'")
    }

    /// Android and TrustKit want a second pin, and have no way to say that it is for later.
    @Test func whatAFormatCanNotMarkIsANote() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        func findings(_ pins: String, _ format: ProfileFormat) throws -> [LintFinding] {
            let text = "profile: 1\nservices: {a: {url: good.test, pins: [{position: leaf, anyOf: [\(pins)]}]}}"
            let profile = try ProfileFile.parse(text, from: "app.yaml")
            return ProfileLint(profile, facts: LintFacts(chains: ["a": served]), format: format)
                .findings(at: try RFC3339.parse(Linted.now))
        }
        let pair = "\"\(try lab.pin(.spki, 0, of: served))\", \"\(Pins.text(1))\""
        let android = try findings(pair, .android)
        #expect(android.first { $0.code == "backup-or-stale" }?.severity == .note)
        #expect(!android.contains { $0.code == "stale-pin" })
        #expect(try findings(pair, .nativeYAML).contains { $0.code == "stale-pin" && $0.severity == .warning })
        let lost = try findings("\"\(Pins.text(1))\", \"\(Pins.text(2))\"", .android)
        #expect(lost.count { $0.code == "stale-pin" } == 2)
    }

    /// Two rules may have the same pins: who changes those of another host changes nothing here.
    @Test func aFindingIsAtItsHostsRule() async throws {
        let served = try await LintChains().served()
        let rules = ["other.test", "good.test"].map { host in
            "{host: \(host), match: android, pins: [{anyOf: [\"\(Pins.text(1))\"]}]}"
        }
        let text = "hosts: [\(rules.joined(separator: ", "))]\nservices: {a: good.test}"
        let finding = try #require(
            Linted.findings(text, facts: LintFacts(chains: ["a": served])).first { $0.code == "no-pin-matches" })
        #expect(finding.path == "hosts[1].pins[0]")
    }

    /// A pin that another service of the set serves is not stale.
    @Test func staleOnlyWhereNobodyHasIt() async throws {
        let lab = try LintChains()
        let (good, renewed) = (try await lab.served(), try await lab.served(.renewedNewKey))
        let pins = "\"\(try lab.pin(.spki, 0, of: good))\", \"\(try lab.pin(.spki, 0, of: renewed))\""
        let text = "pins: [{position: leaf, anyOf: [\(pins)]}]\nservices: {a: good.test, b: \"good.test:444\"}"
        #expect(try !Linted.codes(text, facts: LintFacts(chains: ["a": good, "b": renewed])).contains("stale-pin"))
        #expect(try Linted.codes(text, facts: LintFacts(chains: ["a": good, "b": good])).contains("stale-pin"))
    }

    @Test("[R63] the hash of another kind than stated is reported as such") func kinds() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let digest = try served.certificates[0].digests.get()
        let confused = try findings("position: any, anyOf: [\"rawkey:\(digest.spki.hex)\"]", served)
        let finding = try #require(confused.first { $0.code == "pin-kind-confusion" })
        #expect(finding.severity == .error)
        #expect(finding.fix == "write that certificate's raw key hash, rawkey:sha256:\(digest.rawKey.hex)")
        #expect(
            try !codes("position: any, anyOf: [\"rawkey:\(digest.rawKey.hex)\"]", served).contains("pin-kind-confusion")
        )
    }

    /// A set that only reports, or has expired, fails no check.
    @Test func asAChecksJudgement() async throws {
        let lab = try LintChains()
        let (served, renewed) = (try await lab.served(), try await lab.served(.renewedSameKey))
        func severities(_ sets: String, _ served: ConnectionEvidence, _ code: String) throws -> [Finding.Severity] {
            try Linted.findings(
                "services: {api: {url: good.test, pins: [\(sets)]}}", facts: LintFacts(chains: ["api": served])
            ).filter { $0.code == code }.map(\.severity)
        }
        let lost = "position: leaf, anyOf: [\"\(Pins.text(1))\"]"
        #expect(try severities("{\(lost)}", served, "no-pin-matches") == [.error])
        #expect(try severities("{\(lost), enforce: false}", served, "no-pin-matches") == [.warning])
        let old = "expires: 2020-01-01"
        #expect(try severities("{\(lost), \(old), afterExpiry: ignore}", served, "no-pin-matches").isEmpty)
        #expect(try severities("{\(lost), \(old), afterExpiry: ignore}", served, "pins-expired") == [.error])
        // A key group that only reports vouches, and one that fails does not let a window tolerate anything.
        let window = "window: {from: 2020-01-01, to: 2030-01-01}"
        let certificate = "{anyOf: [\"\(try lab.pin(.cert, 0, of: served))\"], \(window)}"
        let key = "{position: leaf, anyOf: [\"\(try lab.pin(.spki, 0, of: served))\"], enforce: false}"
        #expect(try severities("\(key), \(certificate)", renewed, "window-tolerates") == [.warning])
        let failing = "\(key), {\(lost), enforce: false}, \(certificate)"
        #expect(try severities(failing, renewed, "window-tolerates").isEmpty)
        #expect(Set(try severities(failing, renewed, "no-pin-matches")) == [.warning, .error])
    }

    @Test("[R101] a pin beyond the certificates that are looked at") func beyondReach() async throws {
        let lab = try LintChains()
        let served = try await lab.served(.fourDeep)
        let pin = try lab.pin(.rawkey, 3, of: served)
        #expect(try codes("position: first-3, anyOf: [\"\(pin)\"]", served).contains("pin-out-of-reach"))
        #expect(try !codes("position: first-4, anyOf: [\"\(pin)\"]", served).contains("pin-out-of-reach"))
    }

    @Test("[R104] a backup in the chain is none") func backupInChain() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let leaf = try lab.pin(.spki, 0, of: served)
        let root = try lab.pin(.spki, 2, of: served)
        let other = Pins.text(1)
        #expect(
            try codes("position: any, anyOf: [\"\(leaf)\", {pin: \"\(root)\", backup: true}]", served)
                .contains("backup-in-chain"))
        #expect(
            try !codes("position: any, anyOf: [\"\(leaf)\", {pin: \"\(other)\", backup: true}]", served)
                .contains("backup-in-chain"))
    }

    @Test("[R65] the effective scope is that of the widest pin") func wideScope() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let (leaf, root) = (try lab.pin(.spki, 0, of: served), try lab.pin(.spki, 2, of: served))
        let wide = try findings("position: any, anyOf: [\"\(leaf)\", \"\(root)\"]", served)
        let finding = try #require(wide.first { $0.code == "ca-wide-scope" })
        #expect(finding.message.contains("ProbeKit Lab Root"))
        #expect(finding.message.contains("decorative"))
        #expect(try !codes("position: any, anyOf: [\"\(leaf)\"]", served).contains("ca-wide-scope"))
    }

    @Test func chainsThatWereNotSeenOrTrusted() async throws {
        let lab = try LintChains()
        let set = "position: leaf, anyOf: [\"\(Pins.text(1))\"]"
        #expect(try codes(set, try await lab.served(.unknownIssuer)).contains("chain-not-trusted"))
        #expect(try !codes(set, try await lab.served()).contains("chain-not-trusted"))
        let nothing = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "test", version: "1"), report: HandshakeReport(),
            missing: [], certificates: [], referenceTrust: nil, anchors: .none, instant: lab.pki.epoch)
        #expect(try codes(set, nothing).contains("chain-not-seen"))
        #expect(try !codes(set, nothing).contains("no-pin-matches"), "nothing is said of what was not seen")
    }

    /// TrustKit comes down from the root, stops at a pinned key, and blocks at one that it can't hash before that.
    @Test func keysOfTrustKit() async throws {
        let lab = try LintChains()
        func codes(_ match: String, _ name: LabIdentityName, pinning depth: Int = 0) async throws -> [String] {
            let served = try await lab.served(name)
            let pins = "\"\(try lab.pin(.spki, depth, of: served))\", \"\(Pins.text(1))\""
            return try Linted.codes(
                "hosts: [{host: good.test, match: \(match), pins: [{position: any, anyOf: [\(pins)]}]}]\nservices: {api: good.test}",
                facts: LintFacts(chains: ["api": served]))
        }
        #expect(try await codes("trustkit", .ed25519).contains("trustkit-key-type"))
        #expect(try await !codes("android", .ed25519).contains("trustkit-key-type"))
        #expect(try await !codes("trustkit", .p384).contains("trustkit-key-type"))
        for depth in [1, 2] {
            #expect(try await !codes("trustkit", .ed25519, pinning: depth).contains("trustkit-key-type"), "\(depth)")
        }
    }

    /// The pin of another common name is of another server, and one of the leaf for a name that it does not have never
    /// counts.
    @Test func commonNamesOfTheLeaf() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let pin = try lab.pin(.cert, 0, of: served)
        func codes(_ members: String) throws -> [String] {
            try Linted.codes(
                "pins: [{anyOf: [\(members)]}]\nservices: {api: good.test}",
                facts: LintFacts(chains: ["api": served]))
        }
        let own = "{pin: \"\(pin)\", commonName: good.test}"
        let other = "{pin: \"\(Pins.text(1, .cert))\", commonName: other.test}"
        #expect(try !codes("\(own), \(other)").contains("stale-pin"))
        #expect(try codes("\(own), \(other.replacing("other.test", with: "good.test"))").contains("stale-pin"))
        #expect(try codes("{pin: \"\(pin)\", commonName: other.test}").contains("common-name-differs"))
        // The host's own entry does not count for a leaf with another listed name.
        let listed = try Linted.codes(
            "pins: [{anyOf: [\(own), \(other.replacing("other.test", with: "www.good.test"))]}]\nservices: {api: www.good.test}",
            facts: LintFacts(chains: ["api": served]))
        #expect(!listed.contains { ["no-pin-matches", "common-name-differs", "stale-pin"].contains($0) }, "\(listed)")
        let twice = try codes("\(own), {pin: \"\(pin)\", commonName: other.test}")
        #expect(twice.allSatisfy { !["common-name-differs", "duplicate-pin", "digest-of-two-kinds"].contains($0) })
    }

    /// The lab's certificate ends 60 days after the epoch, on 2026-04-30.
    @Test("[R11] dates of the profile against those of the certificate") func dates() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let (key, cert) = (try lab.pin(.spki, 0, of: served), try lab.pin(.cert, 0, of: served))
        func window(_ end: String) throws -> [String] {
            try codes("anyOf: [\"\(cert)\"], window: {from: 2026-04-01, to: \(end), fallback: system}", served)
        }
        #expect(try window("2026-04-29").contains("window-end-differs"))
        #expect(try !window("2026-04-30").contains("window-end-differs"))
        func expiry(_ day: String) throws -> [String] {
            try codes("position: leaf, anyOf: [\"\(key)\"], expires: \(day)", served)
        }
        #expect(try expiry("2026-04-28").contains("pins-expire-before-certificate"))
        #expect(try !expiry("2026-04-30").contains("pins-expire-before-certificate"))
    }

    @Test("[R53] what ends before the next release") func release() async throws {
        let lab = try LintChains()
        let served = try await lab.served()
        let (key, cert) = (try lab.pin(.spki, 0, of: served), try lab.pin(.cert, 0, of: served))
        func severity(_ set: String, _ date: String, _ code: String) throws -> Finding.Severity? {
            let facts = LintFacts(nextRelease: try RFC3339.parse(date + "T00:00:00Z"))
            return try findings(set, served, facts: facts).first { $0.code == code }?.severity
        }
        let ends = "certificate-ends-before-release"
        #expect(try severity("position: leaf, anyOf: [\"\(key)\"]", "2026-06-01", ends) == .warning)
        #expect(try severity("anyOf: [\"\(cert)\"]", "2026-06-01", ends) == .error)
        #expect(try severity("anyOf: [\"\(cert)\"]", "2026-04-30", ends) == nil)
        let expiring = "position: leaf, anyOf: [\"\(key)\"], expires: 2026-05-01"
        #expect(try severity(expiring, "2026-06-01", "pins-expire-before-release") == .warning)
        #expect(try severity(expiring, "2026-04-01", "pins-expire-before-release") == nil)
    }

    @Test func pinsOfThePresentedChain() async throws {
        let lab = try LintChains()
        let served = try await lab.served(.extraCertificates)
        let appended = PinDigest.sha256(of: try lab.pki.key(LabAuthority.otherIntermediate.recipe.key).spki)
        let pin = "\"spki:\(appended.hex)\""
        let found = try findings("position: any, chain: presented, anyOf: [\(pin)]", served)
        #expect(found.contains { $0.code == "presented-chain" && $0.severity == .warning })
        #expect(found.contains { $0.code == "pin-not-validated" && $0.severity == .warning })
        #expect(!found.contains { ["ca-wide-scope", "no-pin-matches", "stale-pin"].contains($0.code) })
        let validated = try lab.pin(.spki, 1, of: served)
        let good = try codes("position: any, chain: presented, anyOf: [\"\(validated)\"]", served)
        #expect(good.contains("presented-chain") && good.contains("ca-wide-scope"))
        #expect(!good.contains("pin-not-validated"))
        #expect(try !codes("position: leaf, chain: presented, anyOf: [\(pin)]", served).contains("presented-chain"))
        #expect(try !codes("position: any, anyOf: [\(pin)]", served).contains("presented-chain"))
    }

    /// A stack that was asked takes another path than the reference verifier.
    @Test func pinsOfOneOfTwoPaths() async throws {
        let lab = try LintChains()
        let chain = try lab.pki.identity(.twinIssuers).chain
        let anchors = try lab.pki.anchors([.root, .otherRoot])
        var report = HandshakeReport()
        report.chain = chain
        report.nativeTrust = .accepted(path: [chain[0], chain[1], anchors.certificates[0]])
        let served = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "test", version: "1"), report: report, missing: [],
            certificates: chain.map { SuppliedChain.certificate($0) }
                + anchors.certificates.map { SuppliedChain.certificate($0, .anchor) },
            referenceTrust: .accepted(path: [chain[0], chain[2], anchors.certificates[1]]), anchors: anchors,
            instant: lab.pki.epoch)
        for authority in [LabAuthority.root, .otherRoot] {
            let pin = "spki:\(PinDigest.sha256(of: try lab.pki.key(authority.recipe.key).spki).hex)"
            let found = try findings("position: ca, anyOf: [\"\(pin)\"]", served)
            #expect(found.contains { $0.code == "paths-differ" && $0.severity == .error })
            #expect(found.contains { $0.code == "no-pin-matches" && $0.severity == .error })
            #expect(!found.contains { $0.code == "stale-pin" })
        }
    }
}
