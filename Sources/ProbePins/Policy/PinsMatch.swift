public import ProbeKit
public import ProbePlatform

/// Requires that the chain matches every group of pins: the groups of keys first, then those of certificates, which
/// alone a transition window may relax (requirements 3 to 16, decided: stage-order).
public struct PinsMatch: Policy {
    private let groups: [PinGroup]
    private let trust: TrustMode
    private let takers: PathTakers?
    private let words: Fix.Step.Words?

    /// The code of a finding that the server's time may still change.
    package static let awaitsServerTime = "transition-unproven"

    /// The code of a mismatch of a group that only reports.
    private static let reportedMismatch = "pin-mismatch-reported"

    /// Returns true for a finding that the server's time may still change. One of a group that only reports has the code of
    /// its other mismatches, and the fix to ask the server.
    package static func dependsOnServerTime(_ finding: Finding) -> Bool {
        finding.code == awaitsServerTime
            || finding.code == reportedMismatch && finding.remedy.steps.contains(.askServerTime)
    }

    /// The code of a mismatch that a window tolerates.
    private static let tolerated = "transition"

    /// Returns true if the findings don't show that the window is open for the server: its time was not asked for, or a
    /// group that only reports was not tolerated by it. Such a success can't replace the question later.
    package static func leavesWindowUnconfirmed(_ findings: [Finding], serverTime: ServerTime?) -> Bool {
        findings.contains {
            dependsOnServerTime($0) || $0.code == reportedMismatch || $0.code == tolerated && serverTime == nil
        }
    }

    /// Creates a policy whose groups must all match, on the path of every verifier whose trust decision counts.
    ///
    /// - Parameters:
    ///   - takers: names those who take a path on which pins don't hold.
    ///   - words: the steps of fixes as the file that the pins are from can hold them; nil leaves them to the program.
    public init(
        _ groups: [PinGroup], trust: TrustMode = .both, takers: PathTakers? = nil, words: Fix.Step.Words? = nil
    ) {
        self.trust = trust
        self.takers = takers
        self.words = words
        self.groups = groups.filter(\.pinsKeys) + groups.filter { !$0.pinsKeys }
    }

    /// Returns for each group a note that names the match, or one error or warning; then findings about other paths.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        let findings = judged(evidence, at: instant)
        guard let words else { return findings }
        return findings.map { $0.worded(words) }
    }

    private func judged(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        let judgement = judged(connection, failure: connection.isRefused(by: trust) ? .enforced : nil, at: instant)
        guard let failure = judgement.failure else { return judgement.findings }
        return judged(connection, failure: failure, at: instant).findings
    }

    /// The findings, and whether the groups that wait for the server's time do so in vain.
    private struct Judgement {
        var findings: [Finding] = []
        private var hasEnforcedWaiting = false
        private var hasReportedFailure = false

        /// Adds the finding of a group that does not match.
        ///
        /// - Parameter fails: false if it is tolerated.
        mutating func add(_ finding: Finding, of group: PinGroup, fails: Bool) {
            let waits = PinsMatch.dependsOnServerTime(finding)
            if waits, group.isEnforced { hasEnforcedWaiting = true }
            if fails, !waits, !group.isEnforced { hasReportedFailure = true }
            findings.append(finding)
        }

        /// The failure by other pins for which a server is not asked for its time, which could not help (requirement 108); nil
        /// if no group waits for it, or the time may help.
        ///
        /// Groups that only report are to report what enforcing all of them would do.
        var failure: TransitionDecision.Failure? {
            guard findings.contains(where: PinsMatch.dependsOnServerTime) else { return nil }
            guard !findings.contains(where: { $0.severity == .error && !PinsMatch.dependsOnServerTime($0) }) else {
                return .enforced
            }
            return hasReportedFailure && !hasEnforcedWaiting ? .reported : nil
        }
    }

    private func judged(
        _ connection: ConnectionEvidence, failure: TransitionDecision.Failure?, at instant: Date
    ) -> Judgement {
        var judgement = Judgement()
        var elsewhere: [Finding] = []
        var keysVouch = false
        var keysFail = false
        // The last second counts to its end.
        let second = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        for group in groups {
            if let expiry = group.expiry, second > expiry.last {
                judgement.add(expired(group, expiry), of: group, fails: expiry.afterwards == .fail)
                continue
            }
            let search = PinGroupSearch(group, at: second, in: connection, trust: trust)
            guard group.pins.isEmpty || group.hasPins(at: second) else {
                judgement.add(allExpired(group, search.stopped), of: group, fails: true)
                keysFail = keysFail || group.pinsKeys
                continue
            }
            let mismatch: (outcome: Outcome, message: String, fix: Fix)
            switch search.run() {
            case .matched(let finding, let vouches):
                judgement.findings.append(finding)
                keysVouch = keysVouch || group.pinsKeys && vouches
                if let dependence = search.dependence(takers) { elsewhere.append(dependence) }
                continue
            case .mismatched(let message, let fix): mismatch = (.pinMismatch, message, fix)
            case .divided(let message, let fix): mismatch = (.stacksDisagree, message, fix)
            }
            keysFail = keysFail || group.pinsKeys
            let decision = TransitionDecision(
                of: group, keysVouch: keysVouch && !keysFail, in: connection, failure: failure, at: instant)
            judgement.add(
                finding(
                    group, decision, mismatch.outcome, connection, message: mismatch.message, fix: mismatch.fix),
                of: group, fails: decision.isRefusal)
        }
        judgement.findings += elsewhere + unknownPaths(connection)
        return judgement
    }

    /// Returns the findings for paths that are unknown, if a group depends on them.
    private func unknownPaths(_ connection: ConnectionEvidence) -> [Finding] {
        guard groups.contains(where: \.dependsOnPath) else { return [] }
        var findings: [Finding] = []
        if trust != .reference, connection.report.nativeTrust?.isAccepted ?? false, connection.nativePath == nil {
            findings.append(Self.pathNotShown(by: connection.transport.name, isLeafAlone: trust == .native))
        }
        if !connection.further.isComplete {
            findings.append(
                .warning(
                    "paths-not-searched", stage: .pins,
                    "there are more valid paths than were looked at, on which the pins may not hold",
                    fix: "\(.serveOnePath)"))
        }
        return findings
    }

    /// The note that a verifier accepts a chain and does not show its path.
    ///
    /// - Parameter isLeafAlone: whether the reference verifier's path is not searched in its place.
    package static func pathNotShown(by name: String, isLeafAlone: Bool) -> Finding {
        let place = isLeafAlone ? "in the leaf alone" : "on the reference verifier's path alone"
        return .note(
            "path-not-shown", stage: .pins,
            "\(name) does not show the path that it verified: pins are looked for \(place)")
    }

    private func finding(
        _ group: PinGroup, _ decision: TransitionDecision, _ outcome: Outcome, _ connection: ConnectionEvidence,
        message: String, fix: Fix
    ) -> Finding {
        let remedy = decision.fix(insteadOf: fix, isInstantChosen: connection.isInstantChosen)
        return switch decision {
        case .granted(let why):
            .warning(
                Self.tolerated, stage: .pins, "\(message); tolerated: \(why)", fix: "\(fix), before the window ends")
        case .unproven(let why):
            .warning(
                Self.awaitsServerTime, stage: .pins, "\(message); tolerated: \(why)",
                fix: "\(fix), before the window ends")
        case .refused(_, let why) where !group.isEnforced:
            .warning(
                Self.reportedMismatch, stage: .pins,
                message + (why.map { "; \($0)" } ?? "") + "; this group only reports", fix: remedy)
        case .refused(let code, let why) where outcome == .pinMismatch || code == Self.awaitsServerTime:
            .error(
                .pinMismatch, code: code, stage: .pins, message + (why.map { "; \($0)" } ?? ""), fix: remedy)
        case .refused(_, let why):
            .error(
                outcome, code: "paths-differ", stage: .pins, message + (why.map { "; \($0)" } ?? ""), fix: fix)
        }
    }

    private func expired(_ group: PinGroup, _ expiry: PinGroup.Expiry) -> Finding {
        let message = "the pins of \(group) expired after \(RFC3339.format(expiry.last))"
        let fix: Fix = "renew them, and move their expiry"
        return expiry.afterwards == .ignore || !group.isEnforced
            ? .warning(
                "pins-expired", stage: .pins, "\(message): clients stop looking, and so nothing is pinned", fix: fix)
            : .error(.pinMismatch, code: "pins-expired", stage: .pins, message, fix: fix)
    }

    /// - Parameter stopped: the pin that would match, in words.
    private func allExpired(_ group: PinGroup, _ stopped: String?) -> Finding {
        let message = "every pin of \(group) has expired" + (stopped.map { "; \($0)" } ?? "")
        let fix = stopped == nil ? "pin what the server has now" : PinGroupSearch.renewal
        return group.isEnforced
            ? .error(.pinMismatch, code: "pins-expired", stage: .pins, message, fix: fix)
            : .warning("pins-expired", stage: .pins, message, fix: fix)
    }
}

extension ConnectionEvidence {
    /// Returns true if a verifier whose decision counts refused the chain: one that gave no answer did not.
    fileprivate func isRefused(by trust: TrustMode) -> Bool {
        let native = report.nativeTrust?.answered?.isAccepted == false
        let reference = referenceTrust?.answered?.isAccepted == false
        return switch trust {
        case .native: native
        case .reference: reference
        case .both: native || reference
        }
    }
}
