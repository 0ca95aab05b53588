import ProbeKit
import ProbePins

/// Lines `rawkey:sha256:HEX`, or digits alone: the key as Apple's frameworks export it (requirements 58, 102).
enum RawKeyHexReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.allLines { $0.hasPrefix("rawkey:") } }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var members: [PinSet.Member] = []
        var notes: [FormatNote] = []
        for line in try input.lines() {
            var digits = line.text[...]
            for prefix in ["rawkey:", "sha256:"] where digits.hasPrefix(prefix) {
                digits = digits.dropFirst(prefix.count)
            }
            let pin = try input.at(line.number) { () throws(InputError) in try PinText.pin(.rawkey, hex: String(digits))
            }
            members.append(PinSet.Member(pin))
            if digits.contains(where: \.isUppercase) {
                notes.append(
                    .note(
                        "uppercase",
                        "line \(line.number): it is written in uppercase; clients that compare text want lowercase"))
            }
        }
        let set = PinSet(members, position: input.context.position ?? .any)
        return Imported(profile: try input.profile(of: members.isEmpty ? [] : [set]), notes: notes)
    }
}
