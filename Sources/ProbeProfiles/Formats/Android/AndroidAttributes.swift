import ProbeKit

/// The attributes that the platform reads. It passes over others in silence, misspelled and misplaced ones too.
enum AndroidAttributes {
    private static let ofConfigs = ["cleartextTrafficPermitted", "hstsEnforced"]
    private static let known: KeyValuePairs<String, [String]> = [
        "network-security-config": [], "base-config": ofConfigs, "domain-config": ofConfigs,
        "debug-overrides": ofConfigs, "domain": ["includeSubdomains"], "pin-set": ["expiration"], "pin": ["digest"],
        "trust-anchors": [], "certificates": ["src", "overridePins"],
    ]

    /// Returns a warning for each attribute of an element, and of the known ones below it, that is not read.
    static func warnings(of tag: XMLTag) -> [FormatNote] {
        guard let own = known.first(where: { $0.key == tag.name })?.value else { return [] }
        // Those with a prefix are for tools.
        let unread = tag.attributes.keys.filter { $0 != "xmlns" && !$0.contains(":") && !own.contains($0) }.sorted()
        let notes = unread.map { name in
            FormatNote.warning(
                "unknown-attribute",
                "line \(tag.line): Android does not read '\(name)' of <\(tag.name)>\(hint(name, among: own))")
        }
        return notes + tag.children.flatMap(warnings)
    }

    private static func hint(_ name: String, among own: [String]) -> String {
        if let owner = known.first(where: { $0.value.contains(name) }) { return "; it belongs to <\(owner.key)>" }
        return NearestWord.of(name, among: own).map { "; did you mean '\($0)'?" } ?? ""
    }
}
