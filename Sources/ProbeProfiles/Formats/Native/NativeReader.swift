import Foundation
import ProbeKit

/// The native format as YAML.
enum NativeYAMLReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.text?.contains(#/(?m)^(?:profile|"profile"|'profile')[ \t]*:/#) ?? false
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        Imported(profile: try ProfileReader.read(try input.requiredText(), file: input.context.path))
    }
}

/// The native format as JSON, which the YAML reader reads.
enum NativeJSONReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.jsonObject()?["profile"] != nil }

    static func read(_ input: FormatInput) throws(InputError) -> Imported { try NativeYAMLReader.read(input) }
}

extension FormatInput {
    /// Returns the whole file's object, if it is JSON.
    func jsonObject() -> [String: Any]? {
        guard let text, text.first(where: { !$0.isWhitespace }) == "{" else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }
}
