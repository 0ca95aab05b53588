import ProbeKit

/// The elements that the platform reads, by those they are in. It passes over any other with its content (`skipCurrentTag`
/// in `XmlConfigSource`), misspelled and misplaced ones too.
enum AndroidElements {
    private static let known: KeyValuePairs<String, [String]> = [
        "network-security-config": ["base-config", "domain-config", "debug-overrides"],
        "domain-config": ["domain", "pin-set", "trust-anchors", "domain-config"],
        "base-config": ["trust-anchors"], "debug-overrides": ["trust-anchors"],
        "pin-set": ["pin"], "trust-anchors": ["certificates"],
    ]

    /// Elements that are meant as they are and have no pins: TrustKit's, and those of newer systems.
    private static let aside: Set = ["trustkit-config", "certificateTransparency", "domainEncryption"]

    /// Returns the note about an element that is passed over: a warning for one with pins in it, or that may be meant for one
    /// that is read.
    static func note(on tag: XMLTag, in parent: XMLTag) -> FormatNote {
        let hasPins = hasPins(tag)
        let hint = aside.contains(tag.name) ? nil : hint(tag.name, in: parent.name)
        guard hasPins || hint != nil else {
            return .note(
                "passed-over", "line \(tag.line): <\(tag.name)> is not an element with pins that Android reads")
        }
        return .warning(
            "passed-over",
            "line \(tag.line): Android does not read <\(tag.name)> in <\(parent.name)>\(hasPins ? ", nor its pins" : "")\(hint ?? "")"
        )
    }

    private static func hasPins(_ tag: XMLTag) -> Bool {
        tag.children.contains { ["pin", "pin-set"].contains($0.name) || hasPins($0) }
    }

    private static func hint(_ name: String, in parent: String) -> String? {
        let owners = known.filter { $0.value.contains(name) }.map { "<\($0.key)>" }
        guard owners.isEmpty else { return "; it belongs to \(owners.joined(separator: " or "))" }
        let here = known.first { $0.key == parent }?.value ?? []
        let question = NearestWord.question(for: name, among: here)
        return (question ?? NearestWord.question(for: name, among: known.flatMap(\.value))).map { "; \($0)" }
    }
}
