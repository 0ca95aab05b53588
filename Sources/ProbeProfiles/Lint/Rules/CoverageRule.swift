import ProbeKit

/// Finds services that no pins cover, although that may be assumed.
struct CoverageRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.services.flatMap { service in
            service.environment.pinning == .off
                ? []
                : unlisted(service, in: subject) + passedOver(service, in: subject) + gaps(service, in: subject)
        }
    }

    /// Host rules that a reader of the profile takes to hold for the service too.
    private func passedOver(_ service: LintSubject.PlacedService, in subject: LintSubject) -> [LintFinding] {
        guard
            !ServicePins.passedOver(service.service, in: service.environment, of: subject.profile).isEmpty
        else { return [] }
        let words = HostRulesWords(service.service)
        return [LintFinding(.warning, "host-rules-not-applied", at: service.path, words.message, fix: words.fix)]
    }

    private func unlisted(_ service: LintSubject.PlacedService, in subject: LintSubject) -> [LintFinding] {
        guard service.clients.isEmpty, service.service.certificates.isEmpty else { return [] }
        let (host, profile) = (service.service.target.name, subject.profile)
        let message =
            switch profile.unlistedHost {
            case .fail: "the profile has no pins for \(host): every check of it fails"
            case .system: UnlistedHostWords.consequence(host, in: profile.hosts)
            case .skip: "the profile has no pins for \(host): it is never checked"
            }
        return [
            LintFinding(
                profile.unlistedHost == .fail ? .error : .warning, "service-unlisted", at: service.path, message,
                fix: subject.fix(.addHost(host)))
        ]
    }

    /// Rules that would reach the host by another platform's reading, or by one label less or more.
    private func gaps(_ service: LintSubject.PlacedService, in subject: LintSubject) -> [LintFinding] {
        guard case .dns(let name) = service.service.target.name, service.service.pins.isEmpty else { return [] }
        let host = service.service.target.name
        let around = subject.hosts.around(name)
        return [HostSemantics.ats, .okhttp].compactMap { semantics in
            let rules = around.filter { $0.semantics == semantics }
            guard !rules.contains(where: { $0.matches(host) }) else { return nil }
            guard let near = rules.first(where: { Self.nearlyReaches($0, name) }) else { return nil }
            return semantics == .ats
                ? LintFinding(
                    .warning, "ats-subdomain-gap", at: service.path,
                    "\(name) is more than one label below '\(near.pattern)', and App Transport Security reaches one",
                    fix: subject.fix(.addHost(host)))
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
