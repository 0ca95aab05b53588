import ProbeKit
import ProbePins

/// Fingerprints of certificates as `openssl x509 -fingerprint -sha256` prints them, one a line.
enum CertColonReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.allLines { $0.lowercased().contains("fingerprint=") || $0.utf8.count == 95 && isPairs($0) }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var members: [PinSet.Member] = []
        var notes: [FormatNote] = []
        for line in try input.lines() {
            let isLabelled = line.text.lowercased().contains("fingerprint=")
            guard isLabelled || isPairs(line.text) else {
                throw input.refuse(
                    "is not pairs of hexadecimal digits with colons", line: line.number,
                    remedy: "write AA:BB:…, as openssl x509 -fingerprint -sha256 prints it")
            }
            let parsed = try input.at(line.number) { () throws(InputError) in try PinText.parse(line.text) }
            members += parsed.map { PinSet.Member($0.pin) }
            let digits = isLabelled ? line.text.drop { $0 != "=" } : line.text[...]
            if digits.contains(where: \.isLowercase) {
                notes.append(
                    .note(
                        "lowercase",
                        "line \(line.number): it is written in lowercase; clients that compare text want AA:BB:…"))
            }
        }
        let set = PinSet(members, position: input.context.position ?? .leaf)
        return Imported(profile: try input.profile(of: members.isEmpty ? [] : [set]), notes: notes)
    }

    private static func isPairs(_ text: String) -> Bool {
        text.contains(":")
            && text.utf8.allSatisfy { $0 == UInt8(ascii: ":") || Character(UnicodeScalar($0)).isHexDigit }
    }
}
