import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTrust

/// Finds pins that do not fit the served chain: pins of nothing it has, of another kind than stated, at a position that
/// is not checked, and invalid backups.
struct ServedChainRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.services.flatMap { service -> [LintFinding] in
            guard let connection = subject.facts.chains[service.label] else { return [] }
            guard !connection.certificates.isEmpty else { return [unseen(service, connection)] }
            let judgement = ServedJudgement(service, connection, at: subject.instant)
            var findings = service.sets.flatMap { set in
                self.set(set, service, connection, judgement[set], in: subject)
            }
            if connection.validated == nil { findings.append(unvalidated(service, connection)) }
            if let refusal = subject.facts.refusals[service.label] {
                findings.append(refused(service, refusal, connection))
            }
            return findings + clientRules(service, connection, at: subject.instant)
        }
    }

    private func unseen(_ service: LintSubject.PlacedService, _ connection: ConnectionEvidence) -> LintFinding {
        LintFinding(
            .warning, "chain-not-seen", at: service.path,
            "\(service.label) could not be asked: \(connection.report.failure?.message ?? "no certificate came")",
            fix: "try again, or \(Fix.Step.giveChain)")
    }

    private func unvalidated(_ service: LintSubject.PlacedService, _ connection: ConnectionEvidence) -> LintFinding {
        let problem = connection.referenceTrust?.problems.first
        let why = problem.map { ": \($0.message)" } ?? ""
        return LintFinding(
            .warning, "chain-not-trusted", at: service.path,
            "no trusted path was found for the chain of \(service.label)\(why); pins of CAs can't be judged without one",
            fix: "\(TrustedChain.fix(of: problem ?? .init(.unknownIssuer, ""), in: connection))")
    }

    private func refused(
        _ service: LintSubject.PlacedService, _ problem: TrustReading.Problem, _ connection: ConnectionEvidence
    ) -> LintFinding {
        LintFinding(
            .warning, "chain-not-trusted", at: service.path,
            "the chain of \(service.label) is refused, whatever is pinned: \(problem.message)",
            fix: "\(TrustedChain.fix(of: problem, in: connection))")
    }

    private func set(
        _ set: PinSet, _ service: LintSubject.PlacedService, _ connection: ConnectionEvidence,
        _ verdict: ServedJudgement.Verdict, in subject: LintSubject
    ) -> [LintFinding] {
        let (path, words) = (subject.path(of: set, in: service), ServedWords(subject.facts))
        let chain = connection.indices(of: set.chain)
        // Without a path nothing is known of the certificates above the leaf.
        let isUndecided = connection.validated == nil && set.chain == .validated && set.position.includes(index: 1)
        if verdict == .tolerated, let window = set.window {
            return [tolerated(window, words.chain(of: service), at: path)]
        }
        let group = set.group()
        // A pin for another common name is of another server.
        let name = set.hasCommonNames ? connection.commonNameOfLeaf : nil
        var findings: [LintFinding] = []
        var matches = 0
        var unserved: [(member: PinSet.Member, path: String)] = []
        for (index, member) in set.members.enumerated() {
            let here = "\(path).anyOf[\(index)]"
            if let served = ServedPin(member.pin, of: set, in: connection) {
                if served.passes { matches += 1 }
                if let reservation = served.reservation { findings.append(self.reserved(reservation, set, at: here)) }
                if member.isBackup { findings.append(used(words.used(service), at: here)) }
            } else if let near = NearMatch(member.pin, of: group, in: connection, chain: chain),
                !isUndecided || near.kind != member.pin.kind || isLeaf(member.pin, in: connection)
            {
                findings.append(
                    misplaced(member, near, set, on: service.platform(of: set), at: here, in: subject))
            } else if !member.isBackup, !isUndecided, member.isFor(name), !isServed(member.pin, of: set, in: subject) {
                unserved.append((member, here))
            }
        }
        findings += unserved.map { self.unserved($0, at: $1, besideMatch: matches > 0, in: subject) }
        if let severity = verdict.severity, !set.members.isEmpty {
            findings.append(
                LintFinding(
                    severity, "no-pin-matches", at: path,
                    (matches > 0
                        ? "the pins of the set that match \(words.chain(of: service)) have expired"
                        : "no pin of the set matches \(words.chain(of: service))")
                        + (isUndecided ? ", and without a trusted path a pin of a CA can't" : ""),
                    fix: isUndecided
                        ? "fix the chain first: see chain-not-trusted"
                        : matches > 0
                            ? subject.fix(.moveExpiry) : words.comparison(service)))
        }
        return findings
    }

    /// Returns true if a pin is of the leaf, which is known without a path.
    private func isLeaf(_ pin: Pin, in connection: ConnectionEvidence) -> Bool {
        let leaf = connection.presented.first.flatMap { try? connection.certificates[$0].digests.get() }
        return leaf?[pin.kind] == pin.digest
    }

    /// Only our own format can mark a backup: in any other, a pin beside one that matches may be one.
    private func unserved(
        _ member: PinSet.Member, at path: String, besideMatch: Bool, in subject: LintSubject
    ) -> LintFinding {
        let words = ServedWords(subject.facts)
        let pin = "the \(member.pin.kind.name) pin \(member.pin.digest.base64) is of no \(words.certificate)"
        return besideMatch && !subject.format.isNative
            ? LintFinding(
                .note, "backup-or-stale", at: path, "\(pin): \(words.unmarked)", fix: words.removal(subject))
            : LintFinding(
                .warning, "stale-pin", at: path, "\(pin), and not marked as a backup", fix: words.removal(subject))
    }

    private func tolerated(_ window: TransitionWindow, _ chain: String, at path: String) -> LintFinding {
        LintFinding(
            .warning, "window-tolerates", at: path,
            "no pin of the set matches \(chain); its transition window tolerates that until \(RFC3339.day(window.end))",
            fix: "pin the new certificate before the window ends")
    }

    /// Returns true if any service that uses the set has the pin's certificate: several may share one.
    private func isServed(_ pin: Pin, of set: PinSet, in subject: LintSubject) -> Bool {
        subject.services.contains { service in
            guard let connection = subject.facts.chains[service.label], service.sets.contains(set) else { return false }
            return ServedPin(pin, of: set, in: connection) != nil
        }
    }

    /// A backup has to be of a key that is not in the chain (RFC 7469 section 2.5).
    private func used(_ message: String, at path: String) -> LintFinding {
        LintFinding(.warning, "backup-in-chain", at: path, message, fix: "pin a key that is not in the chain")
    }

    /// A match that is worth less than it looks: the words of the check itself.
    private func reserved(_ finding: Finding, _ set: PinSet, at path: String) -> LintFinding {
        LintFinding(
            finding.severity == .error && set.isEnforced ? .error : .warning, finding.code, at: path, finding.message,
            fix: finding.fix)
    }

    private func misplaced(
        _ member: PinSet.Member, _ near: NearMatch, _ set: PinSet, on platform: HostSemantics?, at path: String,
        in subject: LintSubject
    ) -> LintFinding {
        guard near.kind == member.pin.kind else {
            return LintFinding(
                .error, "pin-kind-confusion", at: path, near.explanation, fix: subject.fix(.rightKind(near.right)))
        }
        return LintFinding(
            .warning, "pin-out-of-reach", at: path, "\(near.explanation): it looks at \(set.position)",
            fix: subject.fix(.reach(set.position), for: set, on: platform))
    }

    /// The rules of a platform beside pins, by the policies of checks.
    private func clientRules(
        _ service: LintSubject.PlacedService, _ connection: ConnectionEvidence, at instant: Date
    ) -> [LintFinding] {
        guard service.environment.pinning != .off else { return [] }
        let isEnforced = service.environment.pinning == .enforce
        let evidence = Evidence(connection: connection, model: nil)
        return service.clients.flatMap { $0.policies(isEnforced: isEnforced) }
            .flatMap { $0.judge(evidence, at: instant) }
            .map { LintFinding($0.severity, $0.code, at: service.path, $0.message, fix: $0.fix) }
    }
}
