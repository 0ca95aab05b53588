import ProbeKit

/// The forms of a pin, each of which says of itself what it is a hash of.
extension PinText {
    /// Reads the pins of a header of RFC 7469. A pin lives as long as the command, so that its other directives would
    /// have no effect.
    static func header(_ text: String) throws(InputError) -> [PinText] {
        var pins: [PinText] = []
        for part in text.split(separator: ";") {
            let directive = part.trimmingPrefix { $0 == " " }
            guard !directive.isEmpty else { continue }
            guard directive.hasPrefix("pin-sha256=") else {
                throw refuse(
                    text, "'\(directive)' is a directive of the whole header",
                    remedy: "give its pin-sha256 alone, or the header in a file of pins")
            }
            pins.append(try parseOne(String(directive)))
        }
        return pins
    }

    /// Reads the fields of a TLSA record; nil if a text is not one.
    private static func record(_ text: String) throws(InputError) -> PinText? {
        let words = text.split(separator: " ")
        guard !words.contains("TLSA") else {
            throw refuse(
                text, "a whole TLSA record is for the host that it names",
                remedy: "give the four fields behind TLSA, or the record in a file of pins")
        }
        guard words.count > 3, let fields = TLSAFields(words) else { return nil }
        guard let kind = fields.kind, let position = fields.position else {
            throw refuse(text, "its usage or selector is not known", remedy: "usages are 0 to 3, selectors 0 and 1")
        }
        switch fields.matching {
        case 0:
            do throws(CertificateFormatError) {
                try fields.checkData(is: kind)
            } catch {
                throw refuse(
                    text, "its data is not of the kind \(kind.name): \(error)", remedy: "give it whole, in DER")
            }
            return PinText(
                pin: Pin(kind: kind, digest: .sha256(of: fields.data)), position: position, isRecord: true)
        case 1: return PinText(pin: try pin(kind, fields.data, of: text), position: position, isRecord: true)
        case 2:
            throw refuse(text, "it is a SHA-512 digest", remedy: "only SHA-256 pins are checked; give matching type 1")
        default:
            throw refuse(text, "its matching type is not known", remedy: "give matching type 1, which is SHA-256")
        }
    }

    static func parseOne(_ text: String) throws(InputError) -> PinText {
        for prefix in ["pin-sha256=", "pin-sha256:"] where text.hasPrefix(prefix) {
            let value = text.dropFirst(prefix.count)
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return try make(
                .spki, .any, base64: isQuoted ? value.dropFirst().dropLast() : value, of: text,
                remedy: digestRemedy(.spki, after: prefix))
        }
        if text.hasPrefix("sha256/") {
            return try make(
                .spki, .any, base64: text.dropFirst(7), of: text, remedy: digestRemedy(.spki, after: "sha256/"))
        }
        if ["sha1/", "sha1:", "sha1 fingerprint"].contains(where: text.lowercased().hasPrefix) {
            throw refuse(
                text, "it is a SHA-1 pin", remedy: "only SHA-256 pins are checked; make a new one with 'probe pins'")
        }
        let fingerprint = text.split(separator: "=", maxSplits: 1)
        if fingerprint.count == 2, fingerprint[0].lowercased() == "sha256 fingerprint" {
            return try colonHex(fingerprint[1], of: text)
        }
        if let stated = try kindStated(text) { return stated }
        if text.contains(" "), let record = try record(text) { return record }
        if text.contains(":") { return try colonHex(text[...], of: text) }
        throw withoutKind(text)
    }

    private static func kindStated(_ text: String) throws(InputError) -> PinText? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let head = text[..<colon].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let word = head.first, let kind = PinKind(rawValue: word.lowercased()) else { return nil }
        var position: PinPosition = kind == .cert ? .leaf : .any
        if head.count == 2 {
            guard let stated = PinPosition(String(head[1])) else {
                throw refuse(text, "'\(head[1])' is not a position", remedy: "positions are leaf, ca, any and first-N")
            }
            position = stated
        }
        var value = text[text.index(after: colon)...]
        if value.lowercased().hasPrefix("sha256:") { value = value.dropFirst(7) }
        for (name, digest) in [("sha1", "SHA-1"), ("sha384", "SHA-384"), ("sha512", "SHA-512")]
        where value.lowercased().hasPrefix(name + ":") {
            throw refuse(
                text, "it is a \(digest) pin", remedy: "only SHA-256 pins are checked; make a new one with 'probe pins'"
            )
        }
        if value.contains(":") {
            return PinText(pin: try colonHex(value, kind: kind, of: text).pin, position: position)
        }
        if value.utf8.count == 64 {
            guard let bytes = Hex.decode(value) else {
                throw refuse(text, "it has 64 characters that are not all hexadecimal")
            }
            return PinText(pin: try pin(kind, bytes, of: text), position: position)
        }
        return try make(kind, position, base64: value, of: text)
    }

    private static func colonHex(
        _ value: Substring, kind: PinKind = .cert, of text: String
    ) throws(InputError) -> PinText {
        let pairs = value.split(separator: ":", omittingEmptySubsequences: false)
        let isOfPairs = value.allSatisfy { $0 == ":" || $0.isHexDigit }
        let remedy = isOfPairs ? "write 32 pairs of hexadecimal digits with colons between them" : statedForm
        guard pairs.allSatisfy({ $0.utf8.count == 2 }), let bytes = Hex.decode(pairs.joined()) else {
            throw refuse(text, "it is not pairs of hexadecimal digits with colons", remedy: remedy)
        }
        return PinText(pin: try pin(kind, bytes, of: text, remedy: remedy), position: .leaf)
    }

    /// - Parameters:
    ///   - unread: the reason for a value that is not base64; nil where hexadecimal digits would do too.
    ///   - remedy: the remedy where the fault leaves open which digest is meant.
    static func make(
        _ kind: PinKind, _ position: PinPosition, base64 value: Substring, of text: String, unread: String? = nil,
        remedy: String = statedForm
    ) throws(InputError) -> PinText {
        if value.contains(where: { $0 == "-" || $0 == "_" }) {
            throw refuse(text, "it is base64url", remedy: "write '+' for '-' and '/' for '_'")
        }
        if value.utf8.count == 43, !value.hasSuffix("=") {
            throw refuse(text, "its padding is missing", remedy: "write the '=' at the end")
        }
        if let bytes = Hex.decode(value), bytes.count == 20 {
            return PinText(pin: try pin(kind, bytes, of: text, remedy: remedy), position: position)
        }
        guard let bytes = Base64.decode(value) else {
            guard !hasStrayBits(value) else {
                throw refuse(
                    text, "its last letter has bits that no byte uses",
                    remedy: "compare it with the lines of 'probe pins HOST'")
            }
            throw refuse(
                text, unread ?? "'\(value)' is neither base64 nor 64 hexadecimal digits", remedy: remedy)
        }
        return PinText(pin: try pin(kind, bytes, of: text, remedy: remedy), position: position)
    }

    /// Returns the beginning of a text that states what its digest is of, if that is the kind; nil for a text without one.
    static func form(of text: String, _ kind: PinKind) -> String? {
        if isOkHttp(text) { return kind == .spki ? "sha256/" : nil }
        let ofKeys = kind == .spki ? ["sha256//", "pin-sha256:"] : []
        return (ofKeys + ["\(kind.rawValue):sha256:", "\(kind.rawValue):"]).first(where: text.hasPrefix)
    }

    /// Returns the remedy for a digest in base64 that stands alone, or after the beginning of its form.
    static func digestRemedy(_ kind: PinKind, after form: String? = nil) -> String {
        let place = form.map { " after '\($0)'" } ?? ""
        return "write the 44 characters of base64 of the \(kind == .cert ? "certificate" : "key")'s SHA-256\(place)"
    }

    /// Returns true if only the last letter before the padding is wrong: it is one of base64, and another would do there
    /// (RFC 4648 section 3.5).
    private static func hasStrayBits(_ value: Substring) -> Bool {
        let digits = value.prefix { $0 != "=" }
        guard digits.count < value.count, let last = digits.last else { return false }
        return Base64.decode(String(repeating: last, count: 4)) != nil
            && Base64.decode("\(digits.dropLast())A\(value.dropFirst(digits.count))") != nil
    }

    /// SHA-256 of nothing, which a pipeline prints when its first command failed (decided: placeholder-pins).
    private static let ofNothing = PinDigest.sha256(of: [])

    static func pin(
        _ kind: PinKind, _ bytes: [UInt8], of text: String, remedy: String = statedForm
    ) throws(InputError) -> Pin {
        guard bytes.count != 20 else {
            throw refuse(
                text, "it has the length of SHA-1",
                remedy: "only SHA-256 pins are checked; make a new one with 'probe pins'")
        }
        guard let digest = PinDigest(bytes) else {
            throw refuse(text, "it has \(bytes.count.counted("byte")), SHA-256 has 32", remedy: remedy)
        }
        guard digest != ofNothing else {
            throw refuse(
                text, "it is the SHA-256 of empty input, what a failed pipeline prints",
                remedy: "make it again with 'probe pins HOST'")
        }
        guard bytes.contains(where: { $0 != 0 }) else {
            throw refuse(text, "it is a placeholder of zeros", remedy: "make one with 'probe pins HOST'")
        }
        return Pin(kind: kind, digest: digest)
    }

    private static func withoutKind(_ text: String) -> InputError {
        if text.utf8.count == 64, Hex.decode(text) != nil {
            return refuse(
                text, "64 hexadecimal digits don't say what they are a hash of",
                remedy: "write cert:sha256:…, spki:sha256:… or rawkey:sha256:…")
        }
        if let bytes = Base64.decode(text) {
            do throws(InputError) { _ = try pin(.spki, bytes, of: text) } catch { return error }
        }
        return refuse(text, "it does not say what it is a hash of")
    }

    /// The remedy for a text that does not state what it is of, or in part.
    static let statedForm = "write it like spki:sha256:BASE64 or cert:sha256:HEX"

    static func refuse(_ text: String, _ reason: String, remedy: String = statedForm) -> InputError {
        InputError("'\(InputError.quoting(text, limit: 120))' is not a pin: \(reason)", remedy: remedy)
    }
}
