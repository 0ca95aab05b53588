import ProbeKit
import ProbePins

/// A format of one digest a line, all of one kind. The text does not state their position in a chain.
protocol DigestLinesFormat: FormatReader, FormatWriter {
    /// The kind of every pin.
    static var kind: PinKind { get }
    /// The position at which its users look, where the caller states no other.
    static var position: PinPosition { get }

    /// Reads the pins of a line.
    ///
    /// - Parameter notes: takes what is odd about the line.
    static func pins(_ line: FormatLine, _ input: FormatInput, notes: inout [FormatNote]) throws(InputError) -> [Pin]

    /// The line that holds a digest.
    static func line(_ digest: PinDigest) -> String
}

extension DigestLinesFormat {
    static var traits: FormatTraits { FormatTraits(kinds: [kind], positions: .unstated(position), hosts: .none) }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var members: [PinSet.Member] = []
        var notes: [FormatNote] = []
        for line in try input.lines() { members += try pins(line, input, notes: &notes).map { PinSet.Member($0) } }
        let set = PinSet(members, position: input.context.position ?? position)
        return Imported(profile: try input.profile(of: members.isEmpty ? [] : [set]), notes: notes)
    }

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        pinned.lines { line($1.digest) }
    }
}

/// Fingerprints of certificates, `AA:BB:…`, as `openssl x509 -fingerprint -sha256` prints them.
enum CertColonFormat: DigestLinesFormat {
    static let kind = PinKind.cert
    static let position = PinPosition.leaf

    static func recognises(_ input: FormatInput) -> Bool {
        input.allLines { $0.lowercased().contains("fingerprint=") || $0.utf8.count == 95 && isPairs($0) }
    }

    static func pins(_ line: FormatLine, _ input: FormatInput, notes: inout [FormatNote]) throws(InputError) -> [Pin] {
        let isLabelled = line.text.lowercased().contains("fingerprint=")
        guard isLabelled || isPairs(line.text) else {
            throw input.refuse(
                "is not pairs of hexadecimal digits with colons", line: line.number,
                remedy: "write AA:BB:…, as openssl x509 -fingerprint -sha256 prints it")
        }
        let parsed = try input.at(line.number) { () throws(InputError) in try PinText.parse(line.text) }
        let digits = isLabelled ? line.text.drop { $0 != "=" } : line.text[...]
        if digits.contains(where: \.isLowercase) {
            notes.append(
                .note(
                    "lowercase",
                    "line \(line.number): it is written in lowercase; clients that compare text want AA:BB:…"))
        }
        return parsed.map(\.pin)
    }

    static func line(_ digest: PinDigest) -> String { digest.colonHex }

    private static func isPairs(_ text: String) -> Bool {
        text.contains(":")
            && text.utf8.allSatisfy { $0 == UInt8(ascii: ":") || Character(UnicodeScalar($0)).isHexDigit }
    }
}

/// Lines `rawkey:sha256:HEX`, or digits alone: the key as Apple's frameworks export it.
enum RawKeyHexFormat: DigestLinesFormat {
    static let kind = PinKind.rawkey
    static let position = PinPosition.any

    static func recognises(_ input: FormatInput) -> Bool { input.allLines { $0.hasPrefix("rawkey:") } }

    static func pins(_ line: FormatLine, _ input: FormatInput, notes: inout [FormatNote]) throws(InputError) -> [Pin] {
        var digits = line.text[...]
        for prefix in ["rawkey:", "sha256:"] where digits.hasPrefix(prefix) { digits = digits.dropFirst(prefix.count) }
        let pin = try input.at(line.number) { () throws(InputError) in try PinText.pin(kind, hex: String(digits)) }
        if digits.contains(where: \.isUppercase) {
            notes.append(
                .note(
                    "uppercase",
                    "line \(line.number): it is written in uppercase; clients that compare text want lowercase"))
        }
        return [pin]
    }

    static func line(_ digest: PinDigest) -> String { Pin(kind: kind, digest: digest).description }
}

/// Lines of 44 characters of base64: the output of the usual openssl pipeline. The text does not state the kind of its hash,
/// so the format is never detected, only given.
enum SPKIBase64Format: DigestLinesFormat {
    static let kind = PinKind.spki
    static let position = PinPosition.any

    static func recognises(_ input: FormatInput) -> Bool { false }

    static func pins(_ line: FormatLine, _ input: FormatInput, notes: inout [FormatNote]) throws(InputError) -> [Pin] {
        [try input.at(line.number) { () throws(InputError) in try PinText.pin(kind, base64: line.text) }]
    }

    static func line(_ digest: PinDigest) -> String { digest.base64 }
}

/// Lines `KIND[@POSITION]:[sha256:]HEX`, or digits alone if the caller states their kind (decided: pin-kinds).
///
/// Pins of one kind and position are alternatives, and different ones must all match, as on the command line.
enum HexFormat: FormatReader, FormatWriter {
    static let traits = FormatTraits(
        kinds: Set(PinKind.allCases), positions: .all, sets: .oneForEachKindAndPosition, hosts: .none)

    static func recognises(_ input: FormatInput) -> Bool {
        input.allLines(stated) && !RawKeyHexFormat.recognises(input)
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var sets: [PinSet] = []
        var known: [Set<Pin>] = []
        for line in try input.lines() {
            let pin = try pin(line, input)
            let member = PinSet.Member(pin.pin)
            if let index = sets.firstIndex(where: {
                $0.position == pin.position && $0.members.first?.pin.kind == pin.pin.kind
            }) {
                if known[index].insert(pin.pin).inserted { sets[index].members.append(member) }
            } else {
                known.append([pin.pin])
                sets.append(PinSet([member], position: pin.position))
            }
        }
        return Imported(profile: try input.profile(of: sets))
    }

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        pinned.lines { set, pin in
            let assumed: PinPosition = pin.kind == .cert ? .leaf : .any
            let position = set.position == assumed ? "" : "@\(set.position)"
            return "\(pin.kind.rawValue)\(position):sha256:\(pin.digest.hex)"
        }
    }

    private static func pin(_ line: FormatLine, _ input: FormatInput) throws(InputError) -> PinText {
        var text = line.text
        if isDigest(text) {
            guard let kind = input.context.kind else {
                throw input.refuse(
                    "does not say what it is a hash of", line: line.number,
                    remedy: "write cert:, spki: or rawkey: before it")
            }
            text = "\(kind.rawValue):sha256:\(text)"
        } else if !stated(text), !isAgreed(text, input.context.kind) {
            throw input.refuse(
                "is neither KIND:sha256:HEX, which says what it is a hash of, nor 32 bytes as hexadecimal digits",
                line: line.number,
                remedy:
                    "write cert:sha256:HEX, spki:sha256:HEX or rawkey:sha256:HEX, a pin a line; or let the file's content decide its format, or name that (\(others))"
            )
        }
        let read = try input.at(line.number) { () throws(InputError) in try PinText.parse(text) }
        guard let pin = read.first, read.count == 1 else {
            throw input.refuse("is not one pin", line: line.number, remedy: "write a pin a line")
        }
        guard let position = input.context.position, !statesPosition(text) else { return pin }
        return PinText(pin: pin.pin, position: position)
    }

    /// The formats of lines that are pins in other forms.
    private static let others = [ProfileFormat.certColon, .curl, .hpkp, .okhttp, .spkiBase64, .tlsa]
        .map(\.rawValue).joined(separator: ", ")

    /// Returns true for one pin in another form whose kind is the one that the caller states. Where the two differ, one is wrong,
    /// and of several pins all but one would be lost.
    private static func isAgreed(_ text: String, _ kind: PinKind?) -> Bool {
        guard let read = try? PinText.parse(text), read.count == 1 else { return false }
        return read.first?.pin.kind == kind
    }

    /// Returns true for a pin that states its position: in letters, in curl's form or as the fields of a record.
    private static func statesPosition(_ text: String) -> Bool {
        text.prefix { $0 != ":" }.contains("@") || text.hasPrefix("sha256//") && !PinText.isOkHttp(text)
            || text.split(separator: " ").count > 3
    }

    /// Returns true for the 32 bytes of a digest in hexadecimal, as digits alone or as pairs with colons.
    private static func isDigest(_ text: String) -> Bool {
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == 1 || pairs.count == 32 && pairs.allSatisfy({ $0.utf8.count == 2 }) else { return false }
        return Hex.decode(pairs.joined())?.count == 32
    }

    /// Returns true if a line states the kind of its hash.
    private static func stated(_ line: String) -> Bool {
        guard line.contains(":") else { return false }
        return PinKind(rawValue: line.prefix { $0 != ":" && $0 != "@" }.lowercased()) != nil
    }
}

extension [PinnedHost] {
    /// A file with a line for each pin of each set.
    fileprivate func lines(_ line: (PinSet, Pin) -> String) -> [UInt8] {
        let lines = flatMap(\.sets).flatMap { set in set.members.map { line(set, $0.pin) + "\n" } }
        return [UInt8](lines.joined().utf8)
    }
}
