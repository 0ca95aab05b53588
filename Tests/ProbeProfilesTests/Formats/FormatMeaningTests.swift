import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeTrust
import Testing

/// The pins and rules that a file of each format means.
@Suite struct FormatMeaningTests {
    private static func read(
        _ format: ProfileFormat, _ text: String, host: String? = nil, kind: PinKind? = nil
    ) throws -> Imported {
        try format.read(
            Array(text.utf8), FormatContext(path: "f", host: try host.map { try ServerName($0) }, kind: kind))
    }

    private static func android(_ config: String) -> String {
        "<network-security-config>\(config)</network-security-config>"
    }

    /// Directives alone have no header that could have one, and reports do not last.
    @Test func aMaxAgeIsOfAnEnforcedHeader() throws {
        let pins = "pin-sha256=\"\(Samples.one)\"; pin-sha256=\"\(Samples.two)\""
        for text in [pins, "Public-Key-Pins-Report-Only: \(pins)"] {
            #expect(try Self.read(.hpkp, text).profile.pins.flatMap(\.members).count == 2)
        }
    }

    /// A verdict by a list whose signatures nobody checked says so.
    @Test func uncheckedSignaturesAreAnnounced() throws {
        let announced = try Self.read(.wultra, Samples.wultra).notes.compactMap(\.announcement)
        #expect(announced.map(\.code) == ["signatures-not-checked"])
        #expect(announced.map(\.severity) == [.note])
        let long = "3 1 2 \(String(repeating: "0f", count: 64))"
        #expect(throws: InputError.self, "trust alone would decide") { try Self.read(.tlsa, long) }
        let records = "\(long)\n2 1 1 \(String(repeating: "0f", count: 32))"
        let doubts = try Self.read(.tlsa, records).notes.compactMap(\.announcement)
        #expect(doubts.map(\.code) == ["tlsa-sha512-not-judged", "tlsa-anchor-may-be-unsent"])
        #expect(doubts.map(\.severity) == [.warning, .note])
        #expect(try Self.read(.hpkp, Samples.hpkp).notes.allSatisfy { $0.announcement == nil })
    }

    @Test("[R5] Apple: leaf and CA identities both have to match, one label below")
    func appleGroups() throws {
        let rule = try #require(try Self.read(.apple, Samples.apple).profile.hosts.first)
        #expect(rule.semantics == .ats && rule.includesSubdomains)
        #expect(rule.pins.map(\.position) == [.leaf, .ca])
        #expect(rule.matches(try ServerName("livestream.lutheran.radio")))
        #expect(!rule.matches(try ServerName("a.livestream.lutheran.radio")))
    }

    @Test func androidInheritsAndUnpins() throws {
        let profile = try Self.read(.android, Samples.android).profile
        #expect(profile.hosts.map(\.pattern) == ["example.com", "free.example.com", "kept.example.com"])
        #expect(try profile.hosts.pins(for: ServerName("a.b.free.example.com")) == [])
        #expect(try profile.hosts.pins(for: ServerName("kept.example.com"))?.first?.members.count == 2)
        let expiry = try #require(profile.hosts.first?.pins.first?.expiry)
        #expect(try expiry == PinGroup.Expiry(last: RFC3339.parse("2027-01-01T00:00:00Z"), afterwards: .ignore))
    }

    /// An app's usual entry without pins is not a rule of ours: a host it names is not listed.
    @Test func androidDomainsWithoutPinsAreNotListed() throws {
        let text = Self.android(
            "<domain-config cleartextTrafficPermitted=\"true\"><domain>a.test</domain></domain-config>")
        #expect(try Self.read(.android, text).profile.hosts.isEmpty)
    }

    @Test func reportOnlyIsNotEnforced() throws {
        let sets = try Self.read(.hpkp, Samples.hpkp).profile.pins
        #expect(sets.map(\.isEnforced) == [true, false])
        let trustKit = try Self.read(.trustkit, Samples.trustKit).profile.hosts
        #expect(trustKit.first?.pins.first?.isEnforced == false)
        #expect(throws: InputError.self) {
            try ProfileFormat.okhttp.write(Profile(hosts: [try #require(trustKit.first)]))
        }
    }

    @Test("[R63, R102] the kind of bare digits is the caller's to say") func kindOfBareDigits() throws {
        for kind in PinKind.allCases {
            let sets = try Self.read(.hex, Samples.oneHex, kind: kind).profile.pins
            #expect(sets.flatMap(\.members).map(\.pin.kind) == [kind])
        }
        #expect(ProfileFormat.detect(Array(Samples.oneHex.utf8)) == nil)
        #expect(ProfileFormat.detect(Array(Samples.one.utf8)) == nil)
    }

    /// A form of another kind would contradict the caller, and one with two pins would lose one.
    @Test("[R72] a form with a kind of its own has to agree with the caller's") func formsWithAKind() throws {
        let (curl, hpkp) = ("sha256//\(Samples.one)", "pin-sha256=\"\(Samples.one)\"")
        let forms: [(String, PinKind?, PinPosition)] = [
            (curl, .spki, .leaf), (hpkp, .spki, .any), ("sha256/\(Samples.one)", .spki, .any),
            ("3 1 1 \(Samples.oneHex)", .spki, .leaf), ("2 0 1 \(Samples.oneHex)", .cert, .ca),
            ("sha256 Fingerprint=\(Samples.colons)", .cert, .leaf),
            ("\(curl);sha256//\(Samples.two)", nil, .any), ("\(hpkp); pin-sha256=\"\(Samples.two)\"", nil, .any),
            (Samples.one, nil, .any), (String(Samples.oneHex.dropLast(2)), nil, .any),
            (String(Samples.colons.dropLast(3)), nil, .any),
            (Samples.colons.replacing(":", with: "", maxReplacements: 1), nil, .any),
        ]
        for (form, own, position) in forms {
            for kind in [PinKind?.none, .cert, .spki, .rawkey] {
                if let own, kind == own {
                    let sets = try Self.read(.hex, form, kind: own).profile.pins
                    #expect(sets.flatMap(\.members).map(\.pin.kind) == [own] && sets.map(\.position) == [position])
                    continue
                }
                let error = try #require(throws: InputError.self) { try Self.read(.hex, form, kind: kind) }
                #expect(error.message.hasSuffix("nor 32 bytes as hexadecimal digits"), "\(form): \(error)")
                #expect(error.remedy.contains("spki:sha256:HEX") && error.remedy.contains("cert-colon"))
            }
        }
        // The caller's position is for forms that state none.
        for (form, kind, position) in [(curl, PinKind.spki, PinPosition.leaf), (hpkp, .spki, .ca)] {
            let context = FormatContext(path: "f", kind: kind, position: .ca)
            let sets = try ProfileFormat.hex.read(Array(form.utf8), context).profile.pins
            #expect(sets.map(\.position) == [position])
        }
        for kind in PinKind.allCases {
            let pins = try Self.read(.hex, Samples.colons, kind: kind).profile.pins.flatMap(\.members).map(\.pin)
            #expect(pins.map(\.kind) == [kind] && pins.map(\.digest.base64) == [Samples.leaf])
            let stated = try Self.read(.hex, "spki:sha256:\(Samples.oneHex)", kind: kind).profile.pins
            #expect(stated.flatMap(\.members).map(\.pin.kind) == [.spki])
        }
    }

    @Test("[R99] a record's port stays with its pins") func tlsaPorts() throws {
        let services = try Self.read(.tlsa, Samples.zone).profile.environments.flatMap(\.services)
        #expect(services.map(\.name) == ["www.example.com:443", "api.example.com:8443", "mail.example.com:993"])
        #expect(services.map { $0.pins.first?.position } == [.leaf, .ca, .any])
        #expect(services.first?.pins.first?.members.map(\.pin.kind) == [.spki, .cert])
    }

    /// The output of dig has no host, and so no port.
    @Test func tlsaRecordsAlone() throws {
        #expect(ProfileFormat.detect(Array(Samples.dig.utf8)) == .tlsa)
        let rule = try #require(try Self.read(.tlsa, Samples.dig, host: "api.example.com").profile.hosts.first)
        #expect(rule.pattern == "api.example.com")
        #expect(rule.pins == [PinSet([.init(try PinText.pin(.spki, hex: Samples.oneHex))], position: .leaf)])
    }

    @Test func aWholeCertificateInARecordIsHashed() throws {
        let der = try CertificateFile.certificates(in: Array(KnownRoot.digiCert.pem.utf8), from: "")[0]
        let text = "_443._tcp.a.test. IN TLSA 0 0 0 \(Hex.encode(der))"
        let imported = try Self.read(.tlsa, text)
        #expect(
            imported.profile.environments.first?.services.first?.pins.first?.members.first?.pin.digest.hex
                == KnownRoot.digiCert.cert)
        let pem = try ProfileFormat.pemCert.write(
            imported.profile, host: try ServerName("a.test"), material: imported.material)
        #expect(String(decoding: pem.bytes, as: UTF8.self) == KnownRoot.digiCert.pem)
    }

    /// A pin that was commented out must not count again.
    @Test func commentsAndTextsOfSourceAreNoPins() throws {
        let (one, two) = ("\"sha256/\(Samples.one)\"", "\"sha256/\(Samples.two)\"")
        let profile = try Self.read(
            .okhttp,
            """
            val url = "https://a.test/" // .add("b.test", \(two))
            val text = ".add(\\"c.test\\", \(two.replacing("\"", with: "\\\"")))"
            val raw = \"\"\"
                .add("d.test", \(two))
            \"\"\"
            val mark = '"'; val ratio = 1 / 2
            CertificatePinner.Builder()
                /* .add("e.test", \(two))
                 */ .add("a.test", // the next: \(two)
                    \(one), /* \(two), */
                )
            """
        ).profile
        #expect(profile.hosts.map(\.pattern) == ["a.test"])
        #expect(profile.hosts.flatMap(\.pins).flatMap(\.members).map(\.pin.digest.base64) == [Samples.one])
    }

    @Test func wultraPinsEndTheSecondBefore() throws {
        let members = try Self.read(.wultra, Samples.wultra).profile.pins.flatMap(\.members)
        #expect(members.map { $0.expires?.timeIntervalSince1970 } == [1_893_455_999, 1_893_456_000])
    }

    /// Clients compare the name with the leaf's as it stands, so neither case nor wildcards are read.
    @Test func wultraPinsAreForCommonNames() throws {
        let text = Samples.wultra.replacing(
            "\"name\": \"api.example.com\", \"fingerprint\": \"\(Samples.one)\"",
            with: "\"name\": \"*.Example.com\", \"fingerprint\": \"\(Samples.one)\"")
        let imported = try Self.read(.wultra, text)
        #expect(imported.profile.hosts.isEmpty)
        let members = imported.profile.pins.flatMap(\.members)
        #expect(members.map(\.commonName) == ["api.example.com", "*.Example.com"])
        #expect(imported.notes.map(\.code) == ["signature"])
        #expect(imported.profile.namedHosts == [try ServerName("api.example.com")])
        let nameless = try Self.read(.wultra, Samples.wultra.replacing("\"api.example.com\"", with: "\"\""))
        #expect(nameless.profile.pins.isEmpty && nameless.notes.contains { $0.code == "never-matches" })
    }

    @Test func keysOfNewerListsOfWultraAreReported() throws {
        let newer = Samples.wultra.replacing("\"signature\"", with: "\"maxIndex\": 1, \"signature\"")
            .replacing("{\"fingerprints\"", with: "{\"timestamp\": 1, \"domainsToIgnore\": [], \"fingerprints\"")
        let notes = try Self.read(.wultra, newer).notes.filter { $0.code == "unknown-key" }
        #expect(notes.map { $0.message.split(separator: " ")[0] } == ["'domainsToIgnore'", "'maxIndex'"])
        #expect(try !Self.read(.wultra, Samples.wultra).notes.contains { $0.code == "unknown-key" })
    }

    @Test("[R94] known roots have their known hashes", arguments: KnownRoot.all, PinKind.allCases)
    func vectors(root: KnownRoot, kind: PinKind) throws {
        let imported = try Self.read(.pemCert, root.pem, kind: kind)
        #expect(imported.profile.pins.flatMap(\.members).map(\.pin.digest.hex) == [root.hex(kind)])
        // Through the key alone, and as DER.
        let key = try ProfileFormat.pemPubkey.write(imported.profile, material: imported.material)
        let context = FormatContext(path: "f", kind: kind == .cert ? .spki : kind)
        let again = try ProfileFormat.pemPubkey.read(key.bytes, context)
        #expect(again.profile.pins.flatMap(\.members).map(\.pin.digest.hex) == [root.hex(kind == .cert ? .spki : kind)])
        let der = try ProfileFormat.derPubkey.write(again.profile, material: again.material)
        #expect(ProfileFormat.detect(der.bytes) == .derPubkey)
        #expect(try ProfileFormat.derPubkey.read(der.bytes, context).profile == again.profile)
        let whole = try ProfileFormat.derCert.write(imported.profile, material: imported.material)
        #expect(ProfileFormat.detect(whole.bytes) == .derCert)
    }

    /// The parser would end the process at an instruction without content; with one the file reads the same.
    @Test(arguments: [.apple, .trustkit, .android] as [ProfileFormat])
    func processingInstructions(format: ProfileFormat) throws {
        let text =
            format == .android
            ? Samples.android : format == .apple ? Samples.apple : Samples.trustKit
        let end = try #require(text.firstRange(of: "?>")).upperBound
        let error = #expect(throws: InputError.self) {
            try Self.read(format, text[..<end] + "<?x?>" + text[end...])
        }
        #expect(error?.message == "f has a processing instruction without content")
        #expect(try Self.read(format, text[..<end] + "<?x y?>" + text[end...]) == Self.read(format, text))
    }
}
