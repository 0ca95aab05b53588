import ProbeKit
import ProbePins
import Testing

/// The refusals of texts that are not pins, to the letter: each names the text and its fault.
@Suite struct PinTextRefusalTests {
    private static let digest = PinDigest.sha256(of: [1])
    private static let base64 = Base64.encode(digest.bytes)
    private static let pairs = digest.bytes.map { Hex.encode([$0]) }.joined(separator: ":")

    private static let g64: String = String(repeating: "g", count: 64)
    private static let zeros: String = String(repeating: "0", count: 64)
    private static let sha1: String = String(repeating: "ab", count: 20)
    private static let half: String = String(repeating: "ab", count: 16)
    private static let a64: String = String(repeating: "a", count: 64)
    private static let refusals: [(text: String, reason: String)] = [
        ("sha256//\(base64);x", "'x' does not begin with sha256//"),
        // A quotation mark alone, one that is not closed, one that was not opened, and nothing between two.
        ("pin-sha256=\"", "'\"' is neither base64 nor 64 hexadecimal digits"),
        ("pin-sha256=\"abc", "'\"abc' is neither base64 nor 64 hexadecimal digits"),
        ("pin-sha256=abc\"", "'abc\"' is neither base64 nor 64 hexadecimal digits"),
        ("pin-sha256=\"\"", "it has 0 bytes, SHA-256 has 32"),
        ("pin-sha256=\"\(base64)\"; max-age=5", "'max-age=5' is a directive of the whole header"),
        ("_443._tcp.a.test. IN TLSA 3 1 1 \(a64)", "a whole TLSA record is for the host that it names"),
        ("4 1 1 \(a64)", "its usage or selector is not known"), ("3 2 1 \(a64)", "its usage or selector is not known"),
        ("3 1 2 abcd", "it is a SHA-512 digest"), ("3 1 3 \(a64)", "its matching type is not known"),
        ("3 1 1 \(half)", "it has 16 bytes, SHA-256 has 32"), ("3 1 1 \(zeros)", "it is a placeholder of zeros"),
        ("sha1/AAAA", "it is a SHA-1 pin"), ("SHA1:AA:BB", "it is a SHA-1 pin"),
        ("SHA1 Fingerprint=AA:BB", "it is a SHA-1 pin"),
        ("spki@:sha256:\(base64)", "'' is not a position"), ("spki@top:\(base64)", "'top' is not a position"),
        ("\(pairs):", "it is not pairs of hexadecimal digits with colons"),
        ("0102:03", "it is not pairs of hexadecimal digits with colons"),
        ("cert:\(g64)", "it has 64 characters that are not all hexadecimal"),
        ("spki:sha256:ab-c", "it is base64url"), ("spki:sha256:ab_c", "it is base64url"),
        ("spki:\(base64.dropLast())", "its padding is missing"),
        ("spki:\(base64.dropFirst())", "'\(base64.dropFirst())' is neither base64 nor 64 hexadecimal digits"),
        // The digest ends with Zo=, of whose o the last two bits are not of a byte.
        ("spki:\(base64.dropLast(2))p=", "its last letter has bits that no byte uses"),
        ("sha256//\(base64.dropLast(2))r=", "its last letter has bits that no byte uses"),
        ("spki:\(base64.dropLast(2))*=", "'\(base64.dropLast(2))*=' is neither base64 nor 64 hexadecimal digits"),
        ("spki:\(sha1)", "it has the length of SHA-1"),
        // 32 hexadecimal digits are also the base64 of 24 bytes.
        ("spki:\(half)", "it has 24 bytes, SHA-256 has 32"),
        ("spki:\(zeros)", "it is a placeholder of zeros"),
        (a64, "64 hexadecimal digits don't say what they are a hash of"),
        (g64, "it has 48 bytes, SHA-256 has 32"),
        (base64, "it does not say what it is a hash of"),
    ]

    @Test(arguments: refusals)
    func whatIsWrongIsSaid(text: String, reason: String) {
        let error = #expect(throws: InputError.self) { try PinText.parse(text) }
        #expect(error?.message == "'\(text)' is not a pin: \(reason)")
    }

    @Test func ofALongTextTheBeginningIsShown() {
        let error = #expect(throws: InputError.self) { try PinText.parse("?" + String(repeating: "x", count: 200)) }
        #expect(error?.message.hasPrefix("'?\(String(repeating: "x", count: 119))…' is not a pin") == true)
    }

    @Test func hexadecimalOfAKnownKind() throws {
        #expect(try PinText.pin(.cert, hex: Self.digest.hex).digest == Self.digest)
        let error = #expect(throws: InputError.self) { try PinText.pin(.cert, hex: "zz") }
        #expect(error?.message == "'zz' is not a pin: it is not pairs of hexadecimal digits")
        #expect(error?.remedy == "write the 64 hexadecimal digits of the certificate's SHA-256")
        let short = #expect(throws: InputError.self) { try PinText.pin(.rawkey, hex: Self.half) }
        #expect(short?.remedy == "write the 64 hexadecimal digits of the key's SHA-256")
    }

    private static let ofKey = "write the 44 characters of base64 of the key's SHA-256"

    /// A platform's file has the digest alone, and refuses the forms that state what it is of.
    @Test(
        "a digest that stands alone is asked for as such",
        arguments: [
            (.spki, "sha256/\(base64)", "it begins with 'sha256/'", "take 'sha256/' out"),
            (.spki, "sha256//\(base64)", "it begins with 'sha256//'", "take 'sha256//' out"),
            (.spki, "spki:sha256:\(base64)", "it begins with 'spki:sha256:'", "take 'spki:sha256:' out"),
            (.spki, "spki:\(base64)", "it begins with 'spki:'", "take 'spki:' out"),
            (.spki, "pin-sha256:\(base64)", "it begins with 'pin-sha256:'", "take 'pin-sha256:' out"),
            // Not of what is asked for.
            (.spki, "cert:sha256:\(base64)", "it is not base64", ofKey),
            (
                .cert, "sha256/\(base64)", "it is not base64",
                "write the 44 characters of base64 of the certificate's SHA-256"
            ),
            (.spki, digest.hex, "it is hexadecimal, and not base64", "write \(base64)"),
            (.spki, digest.hex.uppercased(), "it is hexadecimal, and not base64", "write \(base64)"),
            (.spki, zeros, "it is a placeholder of zeros", "make one with 'probe pins HOST'"),
            (.spki, g64, "it has 48 bytes, SHA-256 has 32", ofKey),
            (.spki, "AAAA", "it has 3 bytes, SHA-256 has 32", ofKey),
            (.spki, "?", "it is not base64", ofKey),
        ] as [(PinKind, String, String, String)])
    func digestsAlone(kind: PinKind, text: String, reason: String, remedy: String) {
        let error = #expect(throws: InputError.self) { try PinText.pin(kind, base64: text) }
        #expect(error?.message == "'\(text)' is not a pin: \(reason)")
        #expect(error?.remedy == remedy)
    }

    /// Files in one form refuse every other.
    @Test(
        "the remedy keeps to the form",
        arguments: [
            ("sha256/AAAA", "\(ofKey) after 'sha256/'"), ("sha256//AAAA", "\(ofKey) after 'sha256//'"),
            ("sha256//\(base64);x", "\(ofKey) after 'sha256//'"), ("pin-sha256:AAAA", "\(ofKey) after 'pin-sha256:'"),
            ("AA:BB", "write 32 pairs of hexadecimal digits with colons between them"),
            ("0102:03", "write 32 pairs of hexadecimal digits with colons between them"),
            ("spki:AAAA", "write it like spki:sha256:BASE64 or cert:sha256:HEX"),
            ("md5:AAAA", "write it like spki:sha256:BASE64 or cert:sha256:HEX"),
        ])
    func formsAreKept(text: String, remedy: String) {
        let error = #expect(throws: InputError.self) { try PinText.parse(text) }
        #expect(error?.remedy == remedy)
    }

    @Test(
        arguments: [
            ("spki@leaf:x", .leaf), ("SPKI@any:x", .any), ("cert@ca:x", .ca), ("spki:x", nil), ("md5@leaf:x", nil),
            ("spki@top:x", nil), ("leaf", nil), ("@leaf:x", nil),
        ] as [(String, PinPosition?)])
    func positionsInLetters(text: String, position: PinPosition?) {
        #expect(PinText.statedPosition(in: text) == position)
    }
}
