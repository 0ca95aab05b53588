import ProbeKit
import ProbeTrust

/// Finds environments that ship without enforcing their pins or with too few requirements, and a profile that requires
/// nothing.
struct EnvironmentRule: LintRule {
    private static let productive: Set<String> = ["production", "prod", "live", "release", "public"]

    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.profile.environments.compactMap(pinning)
            + subject.sets.compactMap { reporting($0, in: subject) }
            + subject.services.flatMap { neighbours(of: $0, in: subject) }
            + oldTLS(subject) + emptiness(of: subject.profile)
    }

    /// A key at the wrong depth is an error; everything left out is not.
    private func emptiness(of profile: Profile) -> [LintFinding] {
        let lists = [profile.pins.isEmpty, profile.hosts.isEmpty, profile.models.isEmpty, profile.signers.isEmpty]
        guard lists.allSatisfy(\.self), profile.environments.allSatisfy(\.services.isEmpty) else { return [] }
        return [
            LintFinding(
                .warning, "lists-nothing", at: "the file", "it has neither pins, hosts, services, models nor signers",
                fix: "say what clients hold their servers to")
        ]
    }

    private func pinning(_ environment: ProfileEnvironment) -> LintFinding? {
        guard let name = environment.name, Self.productive.contains(name.lowercased()) else { return nil }
        switch environment.pinning {
        case .enforce: return nil
        case .report:
            return LintFinding(
                .warning, "production-only-reports", at: "environments.\(name).pinning",
                "in \(name) a pin that does not match is only reported", fix: "write pinning: enforce")
        case .off:
            return LintFinding(
                .error, "production-unpinned", at: "environments.\(name).pinning", "\(name) pins nothing",
                fix: "write pinning: enforce")
        }
    }

    private func reporting(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> LintFinding? {
        guard !placed.set.isEnforced else { return nil }
        return LintFinding(
            .warning, "only-reports", at: "\(placed.path).enforce", "a mismatch of this set is only reported",
            fix: subject.fix(.enforce))
    }

    /// Some clients look pins up by host, and then services of one host share them (decided: services-apart).
    private func neighbours(
        of service: LintSubject.PlacedService, in subject: LintSubject
    ) -> [LintFinding] {
        guard service.service.emulation?.unitesPins != true else { return separation(of: service) }
        let earlier = subject.services.prefix { $0.path != service.path }.first {
            $0.environment.name == service.environment.name && $0.service.target.name == service.service.target.name
                && $0.clients.map(\.sets) != service.clients.map(\.sets)
        }
        guard let earlier else { return [] }
        return [
            LintFinding(
                .warning, "host-pins-differ", at: service.path,
                "\(service.label) and \(earlier.label) are on the host \(service.service.target.name) with different pins; a client that looks pins up by host accepts either's",
                fix: subject.format.isNative
                    ? remedy(for: service) : "give them the same pins where clients look pins up by host")
        ]
    }

    /// Emulation unites only sets that differ in nothing but their pins.
    private func remedy(for service: LintSubject.PlacedService) -> String {
        HostPins(of: service.service, in: service.environment).canUnite
            ? "write shareWith where they share, or emulate: ecall where the client unites them"
            : "write shareWith where they share; where the client unites them, give each one set that differs from the others' in its pins alone, and emulate: ecall"
    }

    /// A client that unites the pins of a host is emulated, and they can't be united.
    private func separation(of service: LintSubject.PlacedService) -> [LintFinding] {
        guard service.environment.pinning != .off else { return [] }
        return service.clients.compactMap(\.separation).map {
            LintFinding(.warning, $0.code, at: service.path, $0.message, fix: $0.fix)
        }
    }

    private func oldTLS(_ subject: LintSubject) -> [LintFinding] {
        var demands = [("", subject.profile.defaults)]
        demands += subject.profile.environments.compactMap { environment in
            LintSubject.path(of: environment).map { ("\($0).", environment.demands) }
        }
        demands += subject.services.map { ("\($0.path).", $0.service.demands) }
        return demands.compactMap { path, demands in
            guard let version = demands.minimumTLS, version < .tls12 else { return nil }
            return LintFinding(
                .warning, "old-tls", at: "\(path)minTLS", "\(version.rawValue) is accepted, which RFC 8996 retired",
                fix: "write minTLS: 1.2 or 1.3")
        }
    }
}
