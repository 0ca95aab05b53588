public import ProbeKit
import ProbePlatform

/// The domains under which anyone can register names, as publicsuffix.org lists them.
public struct PublicSuffixList: Sendable {
    /// The path of the list in Debian's package `publicsuffix`.
    private static let systemPath = "/usr/share/publicsuffix/public_suffix_list.dat"
    /// The largest list that is read, in bytes; today's has a third of a million.
    public static let maximumBytes = 8 << 20

    private let rules: Set<String>
    /// The rules of registries, which CAs use (CA/B baseline requirements 3.2.2.6); the others are those of companies
    /// that give names to their customers.
    private let registryRules: Set<String>
    /// The last labels of all rules.
    private let topLevels: Set<String>
    /// The domains that rules are for names below.
    private let parents: Set<String>

    /// Reads a list: one rule a line, up to the first blank; `//` begins a comment.
    ///
    /// Rules in letters outside ASCII are skipped: host rules are written as A-labels.
    public init(_ text: String) {
        var (rules, registryRules, topLevels): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        var parents: Set<String> = []
        var isPrivate = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("// ===BEGIN PRIVATE DOMAINS===") { isPrivate = true }
            let rule = line.prefix { !$0.isWhitespace }
            guard !rule.isEmpty, !rule.hasPrefix("//") else { continue }
            let lowercased = rule.lowercased()
            rules.insert(lowercased)
            topLevels.insert(Self.lastLabel(of: lowercased))
            parents.formUnion(DomainName.parents(of: lowercased))
            if !isPrivate { registryRules.insert(lowercased) }
        }
        self.rules = rules
        self.registryRules = registryRules
        self.topLevels = topLevels
        self.parents = parents
    }

    /// Returns the list of a file.
    ///
    /// - Throws: ``InputError`` if it can't be read.
    public static func read(_ path: String) throws(InputError) -> PublicSuffixList {
        PublicSuffixList(try InputFile.text(of: path, limit: maximumBytes, kind: "list of public suffixes"))
    }

    /// Returns the system's list; nil if it has none.
    public static func system() -> PublicSuffixList? { try? read(systemPath) }

    /// The system's list, read when it is first needed; nil if it has none.
    static let ofSystem = system()

    /// Returns true if a domain is a public suffix itself: listed, below a wildcard without being its exception, or one
    /// label.
    public func contains(_ domain: String) -> Bool { Self.contains(domain, among: rules) }

    /// Returns true if a domain is a public suffix of a registry, like `co.uk`, and not of a company.
    public func isRegistry(_ domain: String) -> Bool { Self.contains(domain, among: registryRules) }

    /// Returns the longest public suffix that a domain is or is below: its last label, if no other is listed.
    func suffix(of domain: String) -> String {
        ([domain] + DomainName.parents(of: domain)).first(where: contains) ?? domain
    }

    /// Returns true if some names below a domain are public suffixes.
    func hasSuffixes(below domain: String) -> Bool { parents.contains(domain.lowercased()) }

    /// Returns true if some rule is for the last label of a domain. The rules for A-labels are in letters outside ASCII,
    /// which are not compared: these count as known, as every name does without rules.
    func knowsTopLevel(of domain: String) -> Bool {
        let label = Self.lastLabel(of: domain.lowercased())
        return topLevels.isEmpty || label.hasPrefix("xn--") || topLevels.contains(label)
    }

    private static func lastLabel(of domain: String) -> String {
        domain.lastIndex(of: ".").map { String(domain[domain.index(after: $0)...]) } ?? domain
    }

    private static func contains(_ domain: String, among rules: Set<String>) -> Bool {
        let domain = domain.lowercased()
        guard !rules.contains("!" + domain) else { return false }
        guard let dot = domain.firstIndex(of: ".") else { return true }
        return rules.contains(domain) || rules.contains("*" + domain[dot...])
    }
}
