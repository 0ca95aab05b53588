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
        let notes = tag.attributes.keys.sorted().compactMap { name -> FormatNote? in
            guard let hint = complaint(of: name, among: own) else { return nil }
            return FormatNote.warning(
                "unknown-attribute", "line \(tag.line): Android does not read '\(name)' of <\(tag.name)>\(hint)")
        }
        return notes + tag.children.flatMap(warnings)
    }

    /// Returns the hint for an attribute that is not read; nil for one that is, or that is not meant for the platform. It
    /// asks for names without a namespace (`getAttributeValue(null, …)` of `XmlConfigSource`), but for those of a
    /// configuration, which it takes by their local names (`parseConfigEntry`).
    private static func complaint(of name: String, among own: [String]) -> String? {
        guard let colon = name.lastIndex(of: ":") else {
            return name == "xmlns" || own.contains(name) ? nil : hint(name, among: own)
        }
        let (space, local) = (String(name[..<colon]), String(name[name.index(after: colon)...]))
        guard !aside.contains(space), !(own.contains(local) && ofConfigs.contains(local)) else { return nil }
        if own.contains(local) { return "; write '\(local)' without a prefix" }
        return known.contains { $0.value.contains(local) } ? hint(local, among: own) : nil
    }

    /// The prefixes of names that no client reads; binary XML has the namespace in place of the prefix.
    private static let aside: Set = ["xmlns", "tools", "http://schemas.android.com/tools"]

    private static func hint(_ name: String, among own: [String]) -> String {
        if let owner = known.first(where: { $0.value.contains(name) }) { return "; it belongs to <\(owner.key)>" }
        return NearestWord.question(for: name, among: own).map { "; \($0)" } ?? ""
    }
}
