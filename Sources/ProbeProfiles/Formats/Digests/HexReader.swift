import ProbeKit

/// Lines `KIND[@POSITION]:[sha256:]HEX`; digits alone if the caller states their kind (decided: pin-kinds).
///
/// Pins of one kind and position are alternatives, and different ones must all match, as on the command line.
enum HexReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.allLines(stated) && !RawKeyHexReader.recognises(input)
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

    private static func pin(_ line: FormatLine, _ input: FormatInput) throws(InputError) -> PinText {
        let isStated = stated(line.text)
        var text = line.text
        if !isStated, let kind = input.context.kind, text.utf8.count == 64 { text = "\(kind.rawValue):sha256:\(text)" }
        let read = try input.at(line.number) { () throws(InputError) in try PinText.parse(text) }
        guard let pin = read.first, isStated || input.context.kind != nil else {
            throw input.refuse(
                "does not say what it is a hash of", line: line.number,
                remedy: "write cert:, spki: or rawkey: before it")
        }
        guard let position = input.context.position, !text.prefix(while: { $0 != ":" }).contains("@") else {
            return pin
        }
        return PinText(pin: pin.pin, position: position)
    }

    /// Returns true if a line states the kind of its hash.
    private static func stated(_ line: String) -> Bool {
        guard line.contains(":") else { return false }
        return PinKind(rawValue: line.prefix { $0 != ":" && $0 != "@" }.lowercased()) != nil
    }
}
