import Foundation
import ProbeKit
import ProbeYAML

/// The native format as YAML.
enum NativeYAMLFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.text?.contains(#/(?m)^(?:profile|"profile"|'profile')[ \t]*:/#) ?? false
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        Imported(profile: try ProfileReader.read(try input.requiredText(), file: input.context.path))
    }
}

/// The native format as JSON, which the YAML reader reads.
enum NativeJSONFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.jsonObject()?["profile"] != nil }

    static func read(_ input: FormatInput) throws(InputError) -> Imported { try NativeYAMLFormat.read(input) }
}

extension FormatInput {
    /// Returns the whole file's object, if it is JSON.
    func jsonObject() -> [String: Any]? {
        guard let text, text.first(where: { !$0.isWhitespace }) == "{" else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
    }
}

/// Writes the native format. It loses only content that such a file can't have at all.
enum NativeWriter {
    static func yaml(_ profile: Profile) throws(InputError) -> Exported {
        let tree = NativeTree.profile(profile)
        let text = try Exported.encoded { try tree.serialized() }
        return Exported(bytes: Array(text.utf8), losses: [])
    }

    static func json(_ profile: Profile) throws(InputError) -> Exported {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let tree = NativeTree.profile(profile).json
        let data = try Exported.encoded { try JSONSerialization.data(withJSONObject: tree, options: options) }
        return Exported(bytes: Array(data) + [0x0a], losses: orderLosses(profile))
    }

    /// Reports the lost order: JSON objects have none, so they are sorted.
    private static func orderLosses(_ profile: Profile) -> [FormatLoss] {
        let environments = profile.environments.compactMap(\.name)
        let services = profile.environments.map { $0.services.map(\.name) }
        guard environments != environments.sorted() || services.contains(where: { $0 != $0.sorted() }) else {
            return []
        }
        return [FormatLoss("order", "the services", "they are in the order of their names: JSON objects have no other")]
    }
}

extension YAMLValue {
    /// The tree as Foundation writes it as JSON.
    fileprivate var json: Any {
        switch self {
        case .text(let text): text
        case .flag(let flag): flag
        case .number(let number): number
        case .list(let values): values.map(\.json)
        case .map(let entries): Dictionary(entries.map { ($0.key, $0.value.json) }, uniquingKeysWith: { $1 })
        }
    }
}
