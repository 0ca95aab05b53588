import ProbeKit
import ProbePins

/// A walk through the nested configurations of a file, each of which inherits what it does not set.
struct AndroidWalk {
    /// The settings that a configuration has from the one around it.
    struct Inherited {
        var pins: PinSet?
        /// The anchors in force; nil for the platform's.
        var anchors: AndroidAnchors?
    }

    let input: FormatInput
    private var domains: [HostRule] = []
    /// The names as the platform compares them, with the lines they are in.
    private var lines: [String: Int] = [:]
    var notes: [FormatNote] = []
    /// The anchors of the file, in its order.
    var anchors: [AndroidAnchors] = []
    private var reach: AndroidAnchorReach

    /// - Parameter base: the anchors of the base configuration, which may come after those that inherit them.
    init(_ input: FormatInput, base: AndroidAnchors?) {
        self.input = input
        reach = AndroidAnchorReach(base: base)
    }

    /// The notes about anchors; those on one line may be equal.
    var anchorNotes: [FormatNote] { anchors.map { $0.note(reach) } }

    /// Returns the rules found. A domain without pins counts only if it removes those of a wider one.
    func rules() -> [HostRule] {
        let wide = Set(domains.filter { $0.includesSubdomains && !$0.pins.isEmpty }.map(\.pattern))
        return domains.filter { rule in
            !rule.pins.isEmpty || DomainName.parents(of: rule.pattern).contains(where: wide.contains)
        }
    }

    mutating func visit(_ config: XMLTag, _ inherited: Inherited) throws(InputError) {
        var own = Inherited(pins: inherited.pins, anchors: AndroidAnchors(of: config) ?? inherited.anchors)
        if let tag = try only("pin-set", in: config) {
            own.pins = try pinSet(tag)
            if own.pins == nil {
                let effect =
                    inherited.pins == nil ? "nothing is pinned" : "the pins of the configuration around it are off"
                notes.append(.warning("empty-pin-set", "line \(tag.line): the pin-set is empty, so \(effect)"))
            }
        }
        guard !config.children(named: "domain").isEmpty else {
            throw input.refuse(
                "has a domain-config without a domain: the app would crash", line: config.line,
                remedy: "give it a <domain>, or take it out")
        }
        if let anchors = try only("trust-anchors", in: config) { try visitAnchors(anchors) }
        for child in config.children {
            switch child.name {
            case "domain": try add(child, own)
            case "domain-config", "pin-set", "trust-anchors": break
            default: pass(over: child, in: config)
            }
        }
        for child in config.children(named: "domain-config") { try visit(child, own) }
    }

    mutating func visitBase(_ config: XMLTag) throws(InputError) {
        for name in ["pin-set", "domain", "domain-config"] {
            if let tag = config.children(named: name).first {
                throw input.refuse(
                    "has a \(name) in base-config: the app would crash", line: tag.line,
                    remedy: "move it to a domain-config")
            }
        }
        if let anchors = try only("trust-anchors", in: config) { try visitAnchors(anchors) }
        for child in config.children where child.name != "trust-anchors" { pass(over: child, in: config) }
    }

    mutating func pass(over tag: XMLTag, in parent: XMLTag) {
        notes.append(AndroidElements.note(on: tag, in: parent))
    }

    /// Returns the child of a name, of which the platform takes one.
    private func only(_ name: String, in config: XMLTag) throws(InputError) -> XMLTag? {
        let tags = config.children(named: name)
        guard tags.count <= 1 else {
            throw input.refuse(
                "has two \(name)s in one \(config.name): the app would crash", line: tags[1].line,
                remedy: "keep one of them")
        }
        return tags.first
    }

    /// Returns a boolean as the build tools and the platform read it; any other value counts as missing.
    mutating func flag(_ name: String, of tag: XMLTag) -> Bool {
        guard let word = tag.attributes[name] else { return false }
        if let value = Self.boolean(word) { return value }
        notes.append(
            .warning(
                "not-boolean",
                "line \(tag.line): \(name)=\"\(word.javaTrimmed)\" is neither true nor false, and Android reads it as false"
            ))
        return false
    }

    static func boolean(_ text: String) -> Bool? {
        switch text.javaTrimmed {
        case "true", "TRUE", "True": true
        case "false", "FALSE", "False": false
        case let word: (word.hasPrefix("0x") ? Int(word.dropFirst(2), radix: 16) : Int(word)).map { $0 != 0 }
        }
    }

    private mutating func add(_ tag: XMLTag, _ inherited: Inherited) throws(InputError) {
        let name = tag.text.javaTrimmed.lowercased()
        let subdomains = flag("includeSubdomains", of: tag)
        guard !name.isEmpty, tag.children.isEmpty else {
            throw input.refuse(
                "has a domain without a name, or with an element in it: the app would crash", line: tag.line,
                remedy: "write <domain>NAME</domain>")
        }
        if let first = lines.updateValue(tag.line, forKey: name) {
            throw input.refuse(
                "has \(name) again, after line \(first): the app would crash", line: tag.line,
                remedy: "keep one of them")
        }
        guard !name.hasSuffix(".") else {
            notes.append(
                .warning(
                    "never-matches",
                    "line \(tag.line): '\(name)' ends with a dot, which Android takes off hosts and not off domains: it never matches; take the dot out"
                ))
            return
        }
        var pins = inherited.pins
        reach.add(name, includesSubdomains: subdomains, inherited.anchors)
        if let anchors = inherited.anchors, anchors.overridePins, pins != nil {
            pins?.isEnforced = false
            notes.append(
                .warning(
                    "override-pins",
                    "line \(tag.line): every anchor for \(name) overrides its pins, and so what does not match is only reported"
                ))
        }
        if let rule = input.rule(
            name, .android, subdomains: subdomains, pins: pins.map { [$0] } ?? [], platform: "Android", notes: &notes)
        {
            domains.append(rule)
        }
    }

    /// - Returns: nil for an empty set, which pins nothing.
    private mutating func pinSet(_ tag: XMLTag) throws(InputError) -> PinSet? {
        var members: [PinSet.Member] = []
        for pin in tag.children {
            guard pin.name == "pin" else {
                notes.append(
                    .warning(
                        "passed-over", "line \(pin.line): Android does not read <\(pin.name)> in a pin-set; write <pin>"
                    ))
                continue
            }
            guard let digest = pin.attributes["digest"], digest.lowercased() == "sha-256" else {
                let said = pin.attributes["digest"].map { "digest=\"\($0)\"" } ?? "no digest"
                throw input.refuse(
                    "has a pin with \(said): the app would crash", line: pin.line, remedy: "write digest=\"SHA-256\"")
            }
            guard pin.children.isEmpty else {
                throw input.refuse(
                    "has a pin with an element in it: the app would crash", line: pin.line,
                    remedy: "write only the digest there")
            }
            members.append(PinSet.Member(try digestPin(pin)))
        }
        guard let text = tag.attributes["expiration"] else {
            return members.isEmpty ? nil : PinSet(members, position: .any)
        }
        // Read of an empty set too, for which the app would crash like for any other.
        let day = try input.at(tag.line) { () throws(InputError) in try AndroidDay(text) }
        guard !members.isEmpty else { return nil }
        notes += day.warnings.map { FormatNote.warning("expiration", "line \(tag.line): \($0)") }
        notes.append(
            .note(
                "expiry",
                "line \(tag.line): pins are off from midnight of \(text) where the device is; read as midnight UTC",
                fix: FormatNote.nothingToDo))
        return PinSet(members, position: .any, expiry: PinGroup.Expiry(last: day.instant, afterwards: .ignore))
    }

    private mutating func digestPin(_ pin: XMLTag) throws(InputError) -> Pin {
        let text = pin.text.javaTrimmed
        let read = LenientBase64.android(text)
        if let read, read != text {
            notes.append(
                .note("base64", "line \(pin.line): '\(text)' is not standard base64; Android reads it as \(read)"))
        }
        return try input.at(pin.line) { () throws(InputError) in try PinText.pin(.spki, base64: read ?? text) }
    }
}
