import ProbeKit

/// The anchors of a configuration, as far as pins depend on them.
extension AndroidWalk {
    /// Returns true if a configuration lets the system's anchors override pins, and has no others whose chains are held to
    /// them: which of them a server's chain ends in is not known here. Nil if it has no anchors.
    static func overridesPins(_ config: XMLTag) -> Bool? {
        guard let anchors = config.children(named: "trust-anchors").first else { return nil }
        let sources = anchors.children(named: "certificates")
        return sources.contains { $0.attributes["src"] == "system" }
            && sources.allSatisfy { $0.attributes["overridePins"].flatMap(boolean) == true }
    }

    mutating func visitAnchors(_ tag: XMLTag) throws(InputError) {
        for certificates in tag.children(named: "certificates") {
            guard let name = Self.source(of: certificates) else {
                throw input.refuse(
                    "has certificates without a src that is known: the app would crash", line: certificates.line,
                    remedy: "write system, user or @raw/NAME")
            }
            if flag("overridePins", of: certificates) {
                notes.append(
                    .warning("override-pins", "line \(certificates.line): chains that end in '\(name)' are not pinned"))
            }
        }
        notes.append(
            .note(
                "trust-anchors", "line \(tag.line): whom the app trusts is not read; \(Fix.Step.giveAnchor)",
                fix: "\(Fix.Step.giveAnchor) where a chain is judged"))
    }

    /// Visits the part for debuggable builds, whose anchors override pins unless they say false.
    mutating func visitDebug(_ config: XMLTag) {
        for name in ["pin-set", "domain", "domain-config"] {
            if let tag = config.children(named: name).first {
                warnOfDebuggable("a \(name) in debug-overrides is not read", tag)
            }
        }
        let anchors = config.children(named: "trust-anchors")
        if anchors.count > 1 { warnOfDebuggable("debug-overrides has two trust-anchors", anchors[1]) }
        for certificates in anchors.first?.children(named: "certificates") ?? [] {
            guard let name = Self.source(of: certificates) else {
                warnOfDebuggable("certificates in debug-overrides have no src that is known", certificates)
                continue
            }
            if certificates.attributes["overridePins"].flatMap(Self.boolean) != false {
                notes.append(
                    .note(
                        "debug-overrides",
                        "line \(certificates.line): debuggable builds don't pin chains that end in '\(name)'"))
            }
        }
    }

    private mutating func warnOfDebuggable(_ fault: String, _ tag: XMLTag) {
        notes.append(
            .warning("debug-overrides", "line \(tag.line): \(fault), and a debuggable build crashes over it"))
    }

    /// Returns the anchors that an element names; nil if the platform does not know them.
    private static func source(of certificates: XMLTag) -> String? {
        certificates.attributes["src"].flatMap { name in
            ["system", "user", "wfa"].contains(name) || name.hasPrefix("@") ? name : nil
        }
    }
}
