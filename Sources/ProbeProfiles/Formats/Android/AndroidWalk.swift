import ProbeKit

/// The way through the nested configurations of a file, each of which inherits what it does not say.
struct AndroidWalk {
    private let input: FormatInput
    private var domains: [(rule: HostRule, line: Int)] = []
    private(set) var notes: [FormatNote] = []

    init(_ input: FormatInput) { self.input = input }

    /// What was found. A domain without pins counts only where it takes those of a wider one away.
    func rules() -> [HostRule] {
        let all = domains.map(\.rule)
        return all.filter { rule in
            !rule.pins.isEmpty
                || all.contains { !$0.pins.isEmpty && $0.pattern != rule.pattern && Self.covers($0, rule) }
        }
    }

    mutating func visit(_ config: XMLTag, inherited: PinSet?) throws(InputError) {
        var pins = inherited
        let sets = config.children(named: "pin-set")
        guard sets.count <= 1 else {
            throw input.refuse("has two pin-sets in one domain-config", line: sets[1].line, remedy: "keep one of them")
        }
        if let tag = sets.first {
            pins = try pinSet(tag)
            if pins == nil {
                let effect = inherited == nil ? "nothing is pinned" : "the pins of the configuration around it are off"
                notes.append(.warning("empty-pin-set", "line \(tag.line): the pin-set is empty, so \(effect)"))
            }
        }
        for child in config.children {
            switch child.name {
            case "domain": try add(child, pins)
            case "domain-config", "pin-set": break
            case "trust-anchors": try visitAnchors(child)
            default: pass(over: child)
            }
        }
        for child in config.children(named: "domain-config") { try visit(child, inherited: pins) }
    }

    mutating func visitBase(_ config: XMLTag) throws(InputError) {
        if let set = config.children(named: "pin-set").first {
            throw input.refuse(
                "has a pin-set in base-config, where Android takes none", line: set.line,
                remedy: "move it to a domain-config")
        }
        for anchors in config.children(named: "trust-anchors") { try visitAnchors(anchors) }
    }

    mutating func visitDebug(_ config: XMLTag) {
        notes.append(
            .note("debug-overrides", "line \(config.line): debuggable builds don't pin chains that end in its anchors"))
    }

    mutating func pass(over tag: XMLTag) {
        notes.append(.note("passed-over", "line \(tag.line): <\(tag.name)> says nothing of pins"))
    }

    private mutating func visitAnchors(_ tag: XMLTag) throws(InputError) {
        for source in tag.children where try flag("overridePins", of: source) {
            notes.append(
                .warning(
                    "override-pins",
                    "line \(source.line): chains that end in '\(source.attributes["src"] ?? "")' are not pinned"))
        }
        notes.append(.note("trust-anchors", "line \(tag.line): whom the app trusts is not read; give it with --ca"))
    }

    private func flag(_ name: String, of tag: XMLTag) throws(InputError) -> Bool {
        switch tag.attributes[name] {
        case "true": return true
        case "false", nil: return false
        case let word?:
            throw input.refuse("has \(name)=\"\(word)\"", line: tag.line, remedy: "write true or false")
        }
    }

    private mutating func add(_ tag: XMLTag, _ pins: PinSet?) throws(InputError) {
        let name = tag.text.trimmed
        let subdomains = try flag("includeSubdomains", of: tag)
        guard
            let rule = input.rule(
                name, .android, subdomains: subdomains, pins: pins.map { [$0] } ?? [], platform: "Android",
                notes: &notes)
        else { return }
        if let first = domains.first(where: { $0.rule.pattern == rule.pattern }) {
            throw input.refuse(
                "has \(rule.pattern) again, after line \(first.line): the app would crash", line: tag.line,
                remedy: "keep one of them")
        }
        domains.append((rule, tag.line))
    }

    /// - Returns: nil for an empty set, which pins nothing.
    private mutating func pinSet(_ tag: XMLTag) throws(InputError) -> PinSet? {
        var members: [PinSet.Member] = []
        for pin in tag.children {
            guard pin.name == "pin" else {
                throw input.refuse("has <\(pin.name)> in a pin-set", line: pin.line, remedy: "list only <pin> there")
            }
            guard let digest = pin.attributes["digest"], digest.lowercased() == "sha-256" else {
                let said = pin.attributes["digest"].map { "digest=\"\($0)\"" } ?? "no digest"
                throw input.refuse(
                    "has a pin with \(said): the app would crash", line: pin.line, remedy: "write digest=\"SHA-256\"")
            }
            let text = pin.text.trimmed
            members.append(
                PinSet.Member(try input.at(pin.line) { () throws(InputError) in try PinText.pin(.spki, base64: text) }))
        }
        guard !members.isEmpty else { return nil }
        guard let text = tag.attributes["expiration"] else { return PinSet(members, position: .any) }
        let day = try input.at(tag.line) { () throws(InputError) in try ExpiryDay.parse(text) }
        notes.append(
            .note(
                "expiry",
                "line \(tag.line): pins are off from midnight of \(text) where the device is; read as midnight UTC"))
        return PinSet(members, position: .any, expiry: PinGroup.Expiry(last: day, afterwards: .ignore))
    }

    private static func covers(_ wider: HostRule, _ rule: HostRule) -> Bool {
        guard let name = try? ServerName(rule.pattern) else { return false }
        return wider.matches(name)
    }
}
