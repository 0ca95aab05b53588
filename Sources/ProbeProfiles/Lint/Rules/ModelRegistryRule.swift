import ProbeKit
import ProbePlatform

/// Checks the history of models: no name twice, no period that ends before it begins, and the build's own model among
/// those that are valid (requirements 35 and 36). Periods may overlap.
struct ModelRegistryRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.profile.models.enumerated().flatMap { index, rule in
            let path = "models[\(index)]"
            return rows(rule, at: path) + embedded(rule, at: path, subject.instant)
        }
    }

    private func rows(_ rule: ModelRule, at path: String) -> [LintFinding] {
        rule.registry.enumerated().flatMap { index, row -> [LintFinding] in
            var findings: [LintFinding] = []
            if let earlier = rule.registry[..<index].first(where: { $0.name == row.name }) {
                let when = earlier.version.map { "version \($0)" } ?? ProfileInstant.first.format(earlier.from)
                findings.append(
                    LintFinding(
                        .error, "model-name-reused", at: "\(path).registry[\(index)].name",
                        "'\(row.name)' was the model of \(when): allowing it again would allow those builds too",
                        fix: "choose a name that was never used"))
            }
            if let until = row.until, until < row.from {
                findings.append(
                    LintFinding(
                        .error, "model-ends-before-it-begins", at: "\(path).registry[\(index)].until",
                        "'\(row.name)' is valid until \(ProfileInstant.last.format(until)) and from \(ProfileInstant.first.format(row.from))",
                        fix: "swap the dates, or correct them"))
            }
            return findings
        }
    }

    private func embedded(_ rule: ModelRule, at path: String, _ instant: Date) -> [LintFinding] {
        guard !rule.registry.isEmpty else {
            return [
                LintFinding(
                    .note, "no-model-registry", at: path,
                    "the profile keeps no history of models, so reuse of a name can't be noticed",
                    fix: "add a registry with a row for every model there was")
            ]
        }
        guard let row = rule.registry.last(where: { $0.name == rule.model }) else {
            return [
                LintFinding(
                    .error, "model-not-registered", at: "\(path).model",
                    "'\(rule.model)' is not in the registry", fix: "append a row for it")
            ]
        }
        guard let until = row.until, until < instant else { return [] }
        return [
            LintFinding(
                .error, "model-retired", at: "\(path).model",
                "'\(rule.model)' was retired after \(ProfileInstant.last.format(until))",
                fix: "ship a build with a model that is valid")
        ]
    }
}

extension ModelRegistryRow {
    /// The state of a row's model at an instant.
    enum State: Hashable, Sendable {
        case planned
        case ongoing
        case retired
    }

    /// Returns the state of the row's model at an instant.
    func state(at instant: Date) -> State {
        if let until, until < instant { return .retired }
        return instant < from ? .planned : .ongoing
    }
}
