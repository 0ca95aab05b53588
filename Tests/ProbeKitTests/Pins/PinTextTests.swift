import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import Testing

@Suite struct PinTextTests {
    private static let digest = PinDigest.sha256(of: Array("key".utf8))

    /// One digest in 64 begins so.
    @Test("a digest whose base64 begins with a slash is read in every form", arguments: [UInt8(0xfc), 0xff])
    func slash(_ first: UInt8) throws {
        let digest = try #require(PinDigest([first] + [UInt8](repeating: 7, count: 31)))
        let base64 = digest.base64
        #expect(base64.hasPrefix("/"))
        for (text, position) in [
            ("sha256/\(base64)", PinPosition.any), ("sha256//\(base64)", .leaf), ("spki:sha256:\(base64)", .any),
            ("pin-sha256:\(base64)", .any), ("pin-sha256=\"\(base64)\"", .any),
        ] {
            #expect(
                try PinText.parse(text) == [PinText(pin: Pin(kind: .spki, digest: digest), position: position)],
                "\(text)")
        }
        #expect(try PinText.parse("sha256//\(base64);sha256//\(base64)").map(\.position) == [.leaf, .leaf])
    }

    @Test("[R2, R4, R58] every form of a pin states its kind and position") func everyFormStatesItsKindAndPosition()
        throws
    {
        let (hex, base64, colon) = (Self.digest.hex, Self.digest.base64, Self.digest.colonHex)
        let forms: [(String, PinKind, PinPosition)] = [
            ("spki:sha256:\(hex)", .spki, .any), ("spki:sha256:\(base64)", .spki, .any), ("spki:\(hex)", .spki, .any),
            ("rawkey:sha256:\(hex)", .rawkey, .any), ("rawkey@first-3:sha256:\(hex)", .rawkey, .first(3)),
            ("cert:sha256:\(hex)", .cert, .leaf), ("cert:\(colon)", .cert, .leaf),
            ("spki@ca:sha256:\(base64)", .spki, .ca),
            ("spki@leaf:\(base64)", .spki, .leaf), ("sha256/\(base64)", .spki, .any),
            ("sha256//\(base64)", .spki, .leaf),
            ("pin-sha256=\"\(base64)\"", .spki, .any), ("pin-sha256:\(base64)", .spki, .any), (colon, .cert, .leaf),
            (colon.lowercased(), .cert, .leaf), ("sha256 Fingerprint=\(colon)", .cert, .leaf),
            ("SHA256 Fingerprint=\(colon)", .cert, .leaf),
            ("0 0 1 \(hex)", .cert, .ca), ("1 0 1 \(hex)", .cert, .leaf), ("2 1 1 \(hex.uppercased())", .spki, .ca),
            ("3 1 1 \(hex.prefix(56)) \(hex.dropFirst(56))", .spki, .leaf),
        ]
        for (text, kind, position) in forms {
            let pins = try PinText.parse(text)
            #expect(pins.map(\.pin) == [Pin(kind: kind, digest: Self.digest)], "\(text)")
            #expect(pins.map(\.position) == [position], "\(text)")
        }
    }

    /// A pin's kind and position are stated once.
    @Test func whatIsStatedTwiceIsRefused() {
        let (hex, base64, colon) = (Self.digest.hex, Self.digest.base64, Self.digest.colonHex)
        for text in [
            "spki:sha256/\(base64)", "cert:sha256//\(base64)", "rawkey:pin-sha256=\"\(base64)\"",
            "spki:pin-sha256:\(base64)", "cert:spki:sha256:\(hex)", "spki:spki:\(base64)", "spki@leaf@ca:\(base64)",
            "spki@ca:cert:\(colon)", "spki@leaf:sha256 Fingerprint=\(colon)", "spki:sha256:sha256:\(hex)",
            "sha256//\(base64);spki:\(base64)",
        ] {
            #expect(throws: InputError.self, "\(text)") { try PinText.parse(text) }
        }
    }

    @Test func curlListsSeveral() throws {
        let other = PinDigest.sha256(of: [1])
        let pins = try PinText.parse("sha256//\(Self.digest.base64);sha256//\(other.base64)")
        #expect(pins.map(\.pin.digest) == [Self.digest, other])
    }

    @Test func headersListSeveral() throws {
        let other = PinDigest.sha256(of: [1])
        for separator in ["; ", ";"] {
            let pins = try PinText.parse(
                "pin-sha256=\"\(Self.digest.base64)\"\(separator)pin-sha256=\"\(other.base64)\"\(separator)")
            #expect(pins.map(\.pin.digest) == [Self.digest, other])
            #expect(pins.allSatisfy { $0.position == .any && $0.pin.kind == .spki })
        }
    }

    /// A record with the whole certificate or key (matching type 0) is the pin of its digest.
    @Test func wholeRecordsAreHashed() throws {
        let identity = try LabPKI(epoch: .now).identity(.good)
        let leaf = identity.leaf
        let key = Array(leaf[try CertificateSlices(certificate: leaf.span).spki])
        for (text, kind, data) in [
            ("1 0 0 \(Hex.encode(leaf))", PinKind.cert, leaf), ("3 1 0 \(Hex.encode(key))", .spki, key),
        ] {
            let pins = try PinText.parse(text)
            #expect(pins.map(\.pin) == [Pin(kind: kind, digest: .sha256(of: data))])
            #expect(pins.map(\.position) == [.leaf])
        }
        #expect(throws: InputError.self) { try PinText.parse("3 0 0 \(Hex.encode(key))") }
    }

    /// The error names the fault, and the correct form.
    @Test(
        "[R16, R72] a bad pin is refused, and the text says why",
        arguments: [
            ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "don't say what they are a hash of"),
            ("spki:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "empty input"),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "empty input"),
            ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "empty input"),
            ("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "placeholder"),
            ("sha256/fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofY-=", "base64url"),
            ("sha256/fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY", "padding"),
            ("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1"),
            ("spki:2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "length of SHA-1"),
            ("AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD", "length of SHA-1"),
            ("fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=", "what it is a hash of"),
            ("spki@middle:sha256:fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=", "not a position"),
            ("sha256//fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=;", "does not begin with sha256//"),
            ("", "0 bytes"), ("hello", "what it is a hash of"), ("spki:sha256:zz", "neither base64"),
        ])
    func badPinsAreExplained(text: String, reason: String) {
        let error = #expect(throws: InputError.self) { () throws in try PinText.parse(text) }
        #expect(error?.message.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.remedy.isEmpty == false)
    }

    @Test func kindsAndPositionsMakeGroups() throws {
        let other = PinDigest.sha256(of: [2])
        let texts = ["spki:\(Self.digest.hex)", "cert:\(other.hex)", "spki:\(other.hex)", "spki@leaf:\(other.hex)"]
        let groups = PinText.groups(try texts.flatMap { text throws in try PinText.parse(text) })
        #expect(groups.map(\.pins.count) == [2, 1, 1])
        #expect(groups.map(\.description) == ["spki@any", "cert@leaf", "spki@leaf"])
    }

    /// Any usable record that matches suffices (RFC 6698 section 2.1), as in a file of records.
    @Test func recordsAreAlternativesWhateverTheirUsage() throws {
        let (hex, other) = (Self.digest.hex, PinDigest.sha256(of: [2]).hex)
        func groups(_ texts: String...) throws -> [String] {
            PinText.groups(try texts.flatMap { text throws in try PinText.parse(text) })
                .map { "\($0.pins.count) \($0)" }
        }
        #expect(try groups("3 1 1 \(hex)", "2 1 1 \(other)") == ["2 spki@any"])
        #expect(try groups("3 1 1 \(hex)", "1 0 1 \(other)") == ["2 cert+spki@leaf"])
        #expect(
            try groups("3 1 1 \(hex)", "spki@leaf:\(other)", "2 0 1 \(other)") == ["2 cert+spki@any", "1 spki@leaf"])
        #expect(try groups("3 1 1 \(hex)", "1 1 1 \(other)", "spki@leaf:\(other)") == ["3 spki@leaf"])
        #expect(try groups("spki@ca:\(hex)", "spki@leaf:\(other)") == ["1 spki@ca", "1 spki@leaf"])
    }

    @Test func digestsRoundTrip() {
        #expect(Self.digest.colonHex.count == 95)
        #expect(PinDigest(Self.digest.bytes) == Self.digest)
        #expect(PinDigest([1, 2, 3]) == nil)
    }
}
