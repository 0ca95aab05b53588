public import ProbeKit

/// Pins as users write them, each form with the kind it states (the table of formats in the requirements).
///
/// | text | kind | position |
/// |---|---|---|
/// | `KIND[@POSITION]:[sha256:]HEX-OR-BASE64`, kind `cert`, `spki` or `rawkey` | as stated | as stated, else below |
/// | `sha256/BASE64` (OkHttp) | spki | any |
/// | `sha256//BASE64[;sha256//BASE64…]` (curl) | spki | leaf |
/// | `pin-sha256="BASE64"[; pin-sha256="BASE64"…]`, `pin-sha256:BASE64` (RFC 7469, gnutls-cli) | spki | any |
/// | `USAGE SELECTOR MATCHING HEX`, matching type 0 or 1 (TLSA, RFC 6698) | cert or spki | leaf or ca |
/// | `AA:BB:…`, also after `sha256 Fingerprint=` (openssl x509) | cert | leaf |
///
/// If a form states no position, certificates are pinned at the leaf and keys anywhere in the chain.
public struct PinText: Hashable, Sendable {
    /// The pin.
    public let pin: Pin
    /// The positions where it may match.
    public let position: PinPosition
    /// True for the fields of a TLSA record.
    let isRecord: Bool

    /// Creates a pin with a position.
    public init(pin: Pin, position: PinPosition) { self.init(pin: pin, position: position, isRecord: false) }

    init(pin: Pin, position: PinPosition, isRecord: Bool) {
        self.pin = pin
        self.position = position
        self.isRecord = isRecord
    }

    /// Reads one argument, which may hold several pins in the forms of curl and of RFC 7469.
    ///
    /// - Throws: `InputError` that names the fault in the text and the correct form.
    public static func parse(_ text: String) throws(InputError) -> [PinText] {
        if text.hasPrefix("sha256//"), !isOkHttp(text) {
            var pins: [PinText] = []
            for part in text.split(separator: ";", omittingEmptySubsequences: false) {
                let remedy = digestRemedy(.spki, after: "sha256//")
                guard part.hasPrefix("sha256//") else {
                    throw refuse(text, "'\(part)' does not begin with sha256//", remedy: remedy)
                }
                pins.append(try make(.spki, .leaf, base64: part.dropFirst(8), of: text, remedy: remedy))
            }
            return pins
        }
        for form in ["sha256//", "sha256/"] where text.lowercased().hasPrefix(form) && !text.hasPrefix(form) {
            throw refuse(text, "libraries read its beginning in lower case alone", remedy: "write \(form)BASE64")
        }
        if text.hasPrefix("pin-sha256=\""), text.contains(";") { return try header(text) }
        return [try parseOne(text)]
    }

    /// Returns true for a pin in OkHttp's form. One digest in 64 begins with `/` as base64: then the pin begins as curl's
    /// does, and is one character shorter.
    public static func isOkHttp(_ text: some StringProtocol) -> Bool {
        guard text.hasPrefix("sha256//") else { return text.hasPrefix("sha256/") }
        return text.utf8.count == "sha256/".utf8.count + 44 && text.hasSuffix("=")
    }

    /// Reads the SHA-256 of one key, in any of the forms.
    ///
    /// - Throws: `InputError` for several, and for a pin of another kind.
    public static func key(_ text: String) throws(InputError) -> PinDigest {
        let pins = try parse(text)
        guard pins.count == 1, let pin = pins.first?.pin, pin.kind == .spki else {
            throw InputError(
                "'\(PrintableText.escape(text))' is not the SHA-256 of one key",
                remedy: "write spki:sha256:BASE64, or sha256/BASE64")
        }
        return pin.digest
    }

    /// Returns the position that a text states in letters, like the `leaf` of `spki@leaf:…`; nil if the form alone
    /// implies one.
    public static func statedPosition(in text: String) -> PinPosition? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let head = text[..<colon].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard head.count == 2, PinKind(rawValue: head[0].lowercased()) != nil else { return nil }
        return PinPosition(String(head[1]))
    }

    /// Reads the base64 of a pin whose kind is known from its context.
    ///
    /// - Throws: `InputError` that names the fault in the text.
    public static func pin(_ kind: PinKind, base64 text: String) throws(InputError) -> Pin {
        let remedy = digestRemedy(kind)
        if text.utf8.count == 64, let bytes = Hex.decode(text) {
            let pin = try pin(kind, bytes, of: text, remedy: remedy)
            throw refuse(text, "it is hexadecimal, and not base64", remedy: "write \(pin.digest.base64)")
        }
        // A digest of that length may begin so by chance.
        if text.utf8.count != 44, let form = form(of: text, kind) {
            throw refuse(text, "it begins with '\(form)'", remedy: "take '\(form)' out")
        }
        return try make(kind, .any, base64: text[...], of: text, unread: "it is not base64", remedy: remedy).pin
    }

    /// Reads the 64 hexadecimal digits of a pin whose kind is known from its context.
    ///
    /// - Throws: `InputError` that names the fault in the text.
    public static func pin(_ kind: PinKind, hex text: String) throws(InputError) -> Pin {
        let remedy = "write the 64 hexadecimal digits of the \(kind == .cert ? "certificate" : "key")'s SHA-256"
        guard let bytes = Hex.decode(text) else {
            throw refuse(text, "it is not pairs of hexadecimal digits", remedy: remedy)
        }
        return try pin(kind, bytes, of: text, remedy: remedy)
    }

    /// Groups pins for checking: those of one kind and position are alternatives, different groups must all match
    /// (requirement 3). TLSA records are alternatives whatever they are of (RFC 6698 section 2.1); those for the leaf and
    /// for a CA at once are looked for anywhere in the chain, as in a file of records.
    ///
    /// - Parameter chain: the chain to search.
    public static func groups(_ pins: [PinText], in chain: PinChain = .validated) -> [PinGroup] {
        var order: [String] = []
        var members: [String: [PinText]] = [:]
        func place(_ pin: PinText) -> String { "\(pin.pin.kind.rawValue)@\(pin.position)" }
        let hasMixedRecords = Set(pins.lazy.filter(\.isRecord).map(place)).count > 1
        for pin in pins {
            let key = hasMixedRecords && pin.isRecord ? "TLSA" : place(pin)
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(pin)
        }
        return order.compactMap { key in
            guard let group = members[key], let first = group.first else { return nil }
            let isOfOne = group.allSatisfy { $0.position == first.position }
            return PinGroup(group.map(\.pin), position: isOfOne ? first.position : .any, chain: chain)
        }
    }
}
