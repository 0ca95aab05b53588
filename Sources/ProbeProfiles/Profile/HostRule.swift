public import ProbeKit

/// A rule that gives hosts their pins, with one platform's semantics.
public struct HostRule: Hashable, Sendable {
    /// The host, in lowercase A-label form; for OkHttp perhaps with `*.` or `**.` before it.
    public var pattern: String
    /// The platform whose semantics decide what it matches.
    public var semantics: HostSemantics
    /// True if subdomains are included too, as far as the semantics allow it.
    public var includesSubdomains: Bool
    /// Pins; every set must match. An empty list removes the pins of wider rules, on platforms where one rule wins.
    public var pins: [PinSet]

    /// Creates a rule.
    ///
    /// - Throws: ``InputError`` if the pattern can't match a host.
    public init(
        pattern: String, semantics: HostSemantics = .exact, includesSubdomains: Bool = false, pins: [PinSet] = []
    ) throws(InputError) {
        self.pattern = try Self.canonical(pattern, semantics)
        self.semantics = semantics
        self.includesSubdomains = includesSubdomains
        self.pins = pins
    }

    /// Returns the pattern in lowercase without the trailing dot, as clients compare; wildcards only if the platform
    /// supports them.
    private static func canonical(_ text: String, _ semantics: HostSemantics) throws(InputError) -> String {
        try InputError.refuseCredentials(in: text)
        let prefix = ["**.", "*."].first(where: text.hasPrefix) ?? ""
        guard prefix.isEmpty || semantics == .okhttp else {
            throw InputError(
                "'\(text)' has a wildcard, which \(semantics.rawValue) never matches",
                remedy: "write '\(text.dropFirst(prefix.count))' with includeSubdomains: true, or match: okhttp")
        }
        guard case .dns(let name) = try ServerName(String(text.dropFirst(prefix.count))) else {
            guard prefix.isEmpty else {
                throw InputError("'\(text)' has a wildcard before an address", remedy: "write the address alone")
            }
            return try ServerName(text).description
        }
        return prefix + name
    }

    /// The pattern without OkHttp's wildcard.
    var base: String {
        let prefix = ["**.", "*."].first(where: pattern.hasPrefix) ?? ""
        return String(pattern.dropFirst(prefix.count))
    }

    /// Returns true if the rule applies to a host at all, before rules are weighed against each other.
    ///
    /// TrustKit's depend on the system's list of public suffixes; without one, every name below a rule's is taken to
    /// have its public suffix.
    public func matches(_ host: ServerName) -> Bool { matches(host, by: PublicSuffixList.ofSystem) }

    /// Returns true if the rule applies to a host, by a list of public suffixes.
    func matches(_ host: ServerName, by suffixes: @autoclosure () -> PublicSuffixList?) -> Bool {
        guard case .dns(let name) = host else { return pattern == host.description }
        switch semantics {
        case .exact: return name == pattern
        case .ats: return name == pattern || includesSubdomains && Self.labels(name, above: pattern) == 1
        case .android: return name == pattern || includesSubdomains && Self.labels(name, above: pattern) > 0
        case .trustkit:
            guard name != pattern else { return true }
            guard includesSubdomains, Self.labels(name, above: pattern) > 0 else { return false }
            // `isSubdomain` of `configuration_utils.m`: names with another registry are not subdomains.
            return suffixes().map { $0.suffix(of: name) == $0.suffix(of: pattern) } ?? true
        case .okhttp:
            if pattern.hasPrefix("**.") {
                let base = pattern.dropFirst(3)
                return name == base || Self.labels(name, above: base) > 0
            }
            return pattern.hasPrefix("*.") ? Self.labels(name, above: pattern.dropFirst(2)) == 1 : name == pattern
        }
    }

    /// Returns true if the rule applies to names a number of labels below another, where 2 is all beyond the first.
    func reaches(_ depth: Int, below name: String) -> Bool {
        let above = Self.labels(name, above: base)
        return (above > 0 || name == base) && HostReach(self).depths.contains(Swift.min(above + depth, 2))
    }

    /// Returns the number of labels of a name above a domain; 0 if it is not below it.
    private static func labels(_ name: String, above domain: some StringProtocol) -> Int {
        guard name.hasSuffix("." + domain) else { return 0 }
        return name.dropLast(domain.count + 1).split(separator: ".").count
    }
}

/// The platform whose semantics decide which hosts a rule applies to; platforms read the same two lines differently.
public enum HostSemantics: String, Hashable, Sendable, Codable, CaseIterable {
    /// The host itself.
    case exact
    /// Apple's `NSPinnedDomains`: subdomains are one label deep; the leaf pins of all rules that fit are one set, and so are
    /// their CA pins.
    case ats
    /// Android's network security configuration: subdomains of any depth; an exact rule wins, else the longest.
    case android
    /// TrustKit: like Android, but subdomains have the public suffix of the rule's name.
    case trustkit
    /// OkHttp: `*.` is one label, `**.` any number and none; all rules that fit are one set.
    case okhttp
}

extension HostSemantics {
    /// The platform whose rules these are; nil if a profile's own rules name hosts exactly.
    public var platform: String? {
        switch self {
        case .exact: nil
        case .ats: "App Transport Security"
        case .android: "Android"
        case .trustkit: "TrustKit"
        case .okhttp: "OkHttp"
        }
    }

    /// True if the platform has one list of pins a host, of which any may match at any place of the chain.
    var hasOneList: Bool {
        switch self {
        case .android, .trustkit, .okhttp: true
        case .exact, .ats: false
        }
    }
}

/// Names as rules have them.
enum DomainName {
    /// Returns the domains that a name is below, the nearest first.
    static func parents(of name: String) -> [String] {
        var parents: [String] = []
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            parents.append(String(rest))
        }
        return parents
    }
}
