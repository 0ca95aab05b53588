import ProbeKit

/// The anchors of a configuration, as far as verdicts depend on them.
struct AndroidAnchors: Hashable {
    /// The code of the notes about anchors.
    static let code = "trust-anchors"

    /// The line of the element.
    let line: Int
    /// The sources of its certificates, each once.
    let sources: [String]
    /// True if the system's anchors override pins, and others whose chains are held to them are not there: which of them a
    /// server's chain ends in is not known here.
    let overridePins: Bool

    /// Reads the anchors of a configuration; nil if it has none of its own.
    init?(of config: XMLTag) {
        guard let anchors = config.children(named: "trust-anchors").first else { return nil }
        self.init(anchors)
    }

    /// Reads the element. An entry that overrides pins comes before others of its source, whatever their order
    /// (`NetworkSecurityConfig`).
    init(_ anchors: XMLTag) {
        line = anchors.line
        let overrides = Dictionary(
            anchors.children(named: "certificates").map { certificates in
                (
                    certificates.attributes["src"] ?? "",
                    certificates.attributes["overridePins"].flatMap(AndroidWalk.boolean) == true
                )
            }, uniquingKeysWith: { $0 || $1 })
        sources = overrides.keys.sorted()
        overridePins = overrides["system"] != nil && overrides.values.allSatisfy(\.self)
    }

    /// Returns the note about these anchors, which are not read.
    ///
    /// - Parameter reach: the hosts of each of the file's anchors.
    func note(_ reach: AndroidAnchorReach) -> FormatNote {
        guard !sources.contains("system") else {
            return .note(
                Self.code, "line \(line): whom the app trusts is not read; \(Fix.Step.giveAnchor)", fix: Self.fix)
        }
        let names = sources.map { "'\($0)'" }.joined(separator: " and ")
        return .warning(
            Self.code,
            sources.isEmpty
                ? "line \(line): the app trusts no CA, and refuses every chain; the CAs that are trusted here are not the app's"
                : "line \(line): the app trusts \(names) and not the system's CAs, which are trusted here; \(Fix.Step.giveAnchor)",
            about: .anchored(self, reach), fix: sources.isEmpty ? nil : Self.fix)
    }

    /// The fix of anchors without a source.
    static let addSource: Fix = "add <certificates> to the trust-anchors"

    /// The fix of anchors that are not read.
    static let fix: Fix = "\(Fix.Step.giveAnchor) where a chain is judged"
}

/// The anchors in force for each host: those of its own domain, else of the longest that includes it, else of the base
/// (`ApplicationConfig`).
struct AndroidAnchorReach: Hashable {
    /// A domain of the file.
    private struct Domain: Hashable {
        let includesSubdomains: Bool
        let anchors: AndroidAnchors?
    }

    private var domains: [String: Domain] = [:]
    private let base: AndroidAnchors?

    /// - Parameter base: the anchors of the base configuration; nil for the platform's, the system's CAs.
    init(base: AndroidAnchors?) { self.base = base }

    /// Adds a domain with the anchors in force there.
    mutating func add(_ name: String, includesSubdomains: Bool, _ anchors: AndroidAnchors?) {
        domains[name] = Domain(includesSubdomains: includesSubdomains, anchors: anchors)
    }

    /// Returns the anchors in force for a host; nil for the platform's.
    func anchors(for host: ServerName) -> AndroidAnchors? {
        let name = host.description
        if let own = domains[name] { return own.anchors }
        for parent in DomainName.parents(of: name) {
            if let wider = domains[parent], wider.includesSubdomains { return wider.anchors }
        }
        return base
    }
}

extension AndroidWalk {
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
        for child in tag.children where child.name != "certificates" { pass(over: child, in: tag) }
        anchors.append(AndroidAnchors(tag))
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
        let known: Set = ["pin-set", "domain", "domain-config", "trust-anchors"]
        for child in config.children where !known.contains(child.name) { pass(over: child, in: config) }
        if let tag = anchors.first {
            for child in tag.children where child.name != "certificates" { pass(over: child, in: tag) }
        }
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
