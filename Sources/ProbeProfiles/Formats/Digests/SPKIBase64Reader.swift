import ProbeKit

/// Lines of 44 characters of base64: the output of the openssl pipeline (requirement 7). The text does not state the
/// kind of its hash, so the format is never detected, only given.
enum SPKIBase64Reader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { false }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var members: [PinSet.Member] = []
        for line in try input.lines() {
            let pin = try input.at(line.number) { () throws(InputError) in try PinText.pin(.spki, base64: line.text) }
            members.append(PinSet.Member(pin))
        }
        let set = PinSet(members, position: input.context.position ?? .any)
        return Imported(profile: try input.profile(of: members.isEmpty ? [] : [set]))
    }
}
