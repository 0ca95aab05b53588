import ProbeKit

/// Finds patterns that platforms read in an unintended way.
struct HostPatternRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        var known: Set<Name> = []
        return subject.profile.hosts.enumerated().flatMap { index, rule in
            let path = "hosts[\(index)]"
            let isNew = known.insert(Name(pattern: rule.pattern, semantics: rule.semantics)).inserted
            let united = united(rule, at: path, among: subject.hosts)
            let found: [LintFinding?] = [
                wildcard(rule, at: path), isNew ? nil : repeated(rule, at: path),
                // Wider rules pin it all the same.
                united == nil ? unpinned(rule, at: path) : nil, united,
                unregistered(rule, at: path, in: subject.facts.publicSuffixes),
            ]
            return found.compactMap(\.self) + suffix(rule, at: path, in: subject.facts.publicSuffixes)
        }
    }

    /// A rule's pattern, as its platform compares it with others.
    private struct Name: Hashable {
        let pattern: String
        let semantics: HostSemantics
    }

    private func wildcard(_ rule: HostRule, at path: String) -> LintFinding? {
        let base = rule.base
        guard base.contains("*") || rule.semantics != .okhttp && base != rule.pattern else { return nil }
        return LintFinding(
            .error, "wildcard-literal", at: "\(path).host",
            "\(rule.semantics.rawValue) takes the '*' of '\(rule.pattern)' for a letter, which no host has",
            fix: "write the domain with includeSubdomains: true")
    }

    private func repeated(_ rule: HostRule, at path: String) -> LintFinding {
        LintFinding(
            [.android, .trustkit].contains(rule.semantics) ? .error : .warning, "host-twice", at: "\(path).host",
            rule.semantics == .android
                ? "Android refuses a configuration with the domain '\(rule.pattern)' twice, and the app does not start"
                : "'\(rule.pattern)' has a rule already",
            fix: "make one rule of the two")
    }

    private func unpinned(_ rule: HostRule, at path: String) -> LintFinding? {
        guard rule.pins.isEmpty else { return nil }
        // TrustKit has a key for it, which nobody writes by chance.
        return LintFinding(
            rule.semantics == .trustkit ? .note : .warning, "rule-without-pins", at: "\(path).pins",
            "the rule has no pins, so '\(rule.pattern)' is not pinned, whatever wider rules say",
            fix: "if it is to be pinned as wider rules say, remove the rule")
    }

    /// Finds rules that another one of their platform adds pins to: of all that match, the pins are united.
    private func united(_ rule: HostRule, at path: String, among rules: HostRuleIndex) -> LintFinding? {
        guard rule.semantics.unites, let host = try? ServerName(rule.base) else { return nil }
        let own = rule.semantics.combined([rule.pins])
        let wider = rules.around(rule.base).first {
            $0.semantics == rule.semantics && ![rule.pattern, rule.base].contains($0.pattern) && $0.matches(host)
                && rule.semantics.combined([rule.pins, $0.pins]) != own
        }
        guard let wider else { return nil }
        guard rule.semantics == .ats else {
            return LintFinding(
                .warning, "okhttp-unites", at: "\(path).host",
                "OkHttp takes the pins of every pattern that fits: '\(rule.pattern)' accepts those of '\(wider.pattern)' too",
                fix: "narrow '\(wider.pattern)', or give both the same pins")
        }
        return LintFinding(
            .warning, "ats-unites", at: "\(path).host",
            "App Transport Security takes the pins of every rule that fits: '\(rule.pattern)' has those of '\(wider.pattern)' too",
            fix: "leave the subdomains out of '\(wider.pattern)', or give both the same pins")
    }

    /// TrustKit looks up the public suffix of each name when it starts, and raises an exception where it finds none
    /// (`GetRegistryLength` in `parse_configuration.m`).
    private func unregistered(_ rule: HostRule, at path: String, in list: PublicSuffixList?) -> LintFinding? {
        guard rule.semantics == .trustkit, let list, !list.knowsTopLevel(of: rule.pattern) else { return nil }
        return LintFinding(
            .error, "unknown-public-suffix", at: "\(path).host",
            "'\(rule.pattern)' is below no public suffix; TrustKit refuses to start with it",
            fix: "name a domain below a public suffix, or leave it out")
    }

    private func suffix(_ rule: HostRule, at path: String, in list: PublicSuffixList?) -> [LintFinding] {
        guard rule.includesSubdomains || rule.pattern.hasPrefix("*") else { return [] }
        guard let list else {
            return [
                LintFinding(
                    .note, "public-suffix-unchecked", at: "hosts",
                    "whether rules reach into public suffixes was not checked: this system has no list of them",
                    fix: "install publicsuffix")
            ]
        }
        guard list.contains(rule.base) else { return [] }
        return [
            LintFinding(
                rule.semantics == .trustkit ? .error : .warning, "public-suffix", at: "\(path).host",
                "'\(rule.base)' is a public suffix, under which anyone can register a name"
                    + (rule.semantics == .trustkit ? "; TrustKit refuses to start with it" : ""),
                fix: "name the domain that is yours")
        ]
    }
}
