import ProbeKit

/// Services that no pins reach, though somebody may think so.
struct CoverageRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.services.flatMap { service in
            service.environment.pinning == .off
                ? [] : unlisted(service, in: subject.profile) + gaps(service, in: subject.profile)
        }
    }

    private func unlisted(_ service: LintSubject.PlacedService, in profile: Profile) -> [LintFinding] {
        guard service.clients.isEmpty, service.service.certificates.isEmpty else { return [] }
        let consequence =
            switch profile.unlistedHost {
            case .fail: "every check of it fails"
            case .system: "the system's trust alone decides"
            case .skip: "it is never checked"
            }
        return [
            LintFinding(
                profile.unlistedHost == .fail ? .error : .warning, "service-unlisted", at: service.path,
                "the profile has no pins for \(service.service.target.name): \(consequence)",
                fix: "add a host rule for it, or pins of its own")
        ]
    }

    /// Rules that would reach the host by another platform's reading, or by one label less or more.
    private func gaps(_ service: LintSubject.PlacedService, in profile: Profile) -> [LintFinding] {
        guard case .dns(let name) = service.service.target.name, service.service.pins.isEmpty else { return [] }
        let host = service.service.target.name
        return [HostSemantics.ats, .okhttp].compactMap { semantics in
            let rules = profile.hosts.filter { $0.semantics == semantics }
            guard !rules.contains(where: { $0.matches(host) }) else { return nil }
            guard let near = rules.first(where: { Self.nearlyReaches($0, name) }) else { return nil }
            return semantics == .ats
                ? LintFinding(
                    .warning, "ats-subdomain-gap", at: service.path,
                    "\(name) is more than one label below '\(near.pattern)': includeSubdomains of ATS does not reach it",
                    fix: "add a rule for \(name), or for the domain it is directly below")
                : LintFinding(
                    .warning, "okhttp-pattern-gap", at: service.path,
                    "'\(near.pattern)' is exactly one label before '\(near.base)', and does not reach \(name)",
                    fix: "write '**.\(near.base)'")
        }
    }

    private static func nearlyReaches(_ rule: HostRule, _ name: String) -> Bool {
        switch rule.semantics {
        case .ats: rule.includesSubdomains && name.hasSuffix("." + rule.pattern)
        case .okhttp: rule.pattern.hasPrefix("*.") && (name == rule.base || name.hasSuffix("." + rule.base))
        case .exact, .android, .trustkit: false
        }
    }
}
