import ProbeKit
import ProbePins

/// The value of curl's `--pinnedpubkey`, which is compared byte for byte: a pin that curl would never match is
/// rejected.
enum CurlFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.allLines { $0.hasPrefix("sha256//") && !PinText.isOkHttp($0) }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var text = try input.requiredText()
        while text.last?.isNewline == true { text.removeLast() }
        guard text.hasPrefix("sha256//") else {
            throw input.refuse(
                "does not begin with 'sha256//': curl takes it for the name of a key file",
                remedy: "write sha256//BASE64;sha256//BASE64, without blanks")
        }
        guard !text.contains(where: \.isWhitespace) else {
            throw input.refuse("has blanks, with which curl never matches", remedy: "take them out")
        }
        guard !text.hasSuffix(";") else {
            throw input.refuse("ends with ';', with which older curls never match", remedy: "take it out")
        }
        let pins = try input.at { () throws(InputError) in try PinText.parse(text) }
        return Imported(
            profile: try input.profile(of: [PinSet(pins.map { PinSet.Member($0.pin) }, position: .leaf)]))
    }
}

/// Writes the value of curl's `--pinnedpubkey`: `sha256//BASE64;sha256//BASE64`.
extension CurlFormat: FormatWriter {
    static let traits = FormatTraits(kinds: [.spki], positions: .fixed(.leaf), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let pins = pinned.flatMap(\.sets).flatMap(\.members).map { "sha256//\($0.pin.digest.base64)" }
        return Array((pins.joined(separator: ";") + "\n").utf8)
    }
}
