public import FoundationEssentials
public import ProbeKit

/// Requires that the chain matches every group of pins: the groups of keys first, then those of certificates, which
/// alone a transition window may relax (requirements 3 to 16, decided: stage-order).
public struct PinsMatch: Policy {
    private let groups: [PinGroup]
    private let trust: TrustMode

    /// The code of a finding that the server's time may still change.
    package static let awaitsServerTime = "transition-unproven"

    /// Creates a policy whose groups must all match, on the path of every verifier whose trust decision counts.
    public init(_ groups: [PinGroup], trust: TrustMode = .both) {
        self.trust = trust
        self.groups = groups.filter(\.pinsKeys) + groups.filter { !$0.pinsKeys }
    }

    /// Returns for each group a note that names the match, or one error or warning; then findings about other paths.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        var findings: [Finding] = []
        var elsewhere: [Finding] = []
        var keysVouch = false
        var keysFail = false
        // The last second counts to its end.
        let second = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        for group in groups {
            if let expiry = group.expiry, second > expiry.last {
                findings.append(expired(group, expiry))
                continue
            }
            guard group.pins.isEmpty || group.hasPins(at: second) else {
                findings.append(allExpired(group))
                keysFail = keysFail || group.pinsKeys
                continue
            }
            let search = PinGroupSearch(group, at: second, in: connection, trust: trust)
            var decision: TransitionDecision {
                TransitionDecision(
                    group.pinsKeys ? nil : group.window, keysVouch: keysVouch && !keysFail,
                    serverTime: connection.serverTime, remembered: connection.remembered, at: instant)
            }
            switch search.run() {
            case .matched(let finding, let vouches):
                findings.append(finding)
                keysVouch = keysVouch || group.pinsKeys && vouches
                if let dependence = search.dependence() { elsewhere.append(dependence) }
            case .mismatched(let message, let fix):
                keysFail = keysFail || group.pinsKeys
                findings.append(finding(group, decision, .pinMismatch, message: message, fix: fix))
            case .divided(let message, let fix):
                keysFail = keysFail || group.pinsKeys
                findings.append(finding(group, decision, .stacksDisagree, message: message, fix: fix))
            }
        }
        return findings + elsewhere + unknownPaths(connection)
    }

    /// Returns the findings for paths that are unknown, if a group depends on them.
    private func unknownPaths(_ connection: ConnectionEvidence) -> [Finding] {
        guard groups.contains(where: \.dependsOnPath) else { return [] }
        var findings: [Finding] = []
        if trust != .reference, connection.report.nativeTrust?.isAccepted ?? false, connection.nativePath == nil {
            let judged = trust == .native ? "in the leaf alone" : "on the reference verifier's path alone"
            findings.append(
                .note(
                    "path-not-shown", stage: .pins,
                    "\(connection.transport.name) does not show the path that it verified: pins are looked for \(judged)"
                )
            )
        }
        if !connection.further.isComplete {
            findings.append(
                .warning(
                    "paths-not-searched", stage: .pins,
                    "there are more valid paths than were looked at, on which the pins may not hold",
                    fix: "configure the server to send only the intermediates of one path"))
        }
        return findings
    }

    private func finding(
        _ group: PinGroup, _ decision: TransitionDecision, _ outcome: Outcome, message: String, fix: String
    ) -> Finding {
        switch decision {
        case .granted(let why):
            .warning("transition", stage: .pins, "\(message); tolerated: \(why)", fix: "\(fix), before the window ends")
        case .unproven(let why):
            .warning(
                Self.awaitsServerTime, stage: .pins, "\(message); tolerated: \(why)",
                fix: "\(fix), before the window ends")
        case _ where !group.isEnforced:
            .warning("pin-mismatch-reported", stage: .pins, "\(message); this group only reports", fix: fix)
        case .refused(let code, let why) where outcome == .pinMismatch || code == Self.awaitsServerTime:
            .error(.pinMismatch, code: code, stage: .pins, message + (why.map { "; \($0)" } ?? ""), fix: fix)
        case .refused(_, let why):
            .error(
                outcome, code: "paths-differ", stage: .pins, message + (why.map { "; \($0)" } ?? ""), fix: fix)
        }
    }

    private func expired(_ group: PinGroup, _ expiry: PinGroup.Expiry) -> Finding {
        let message = "the pins of \(group) expired after \(RFC3339.format(expiry.last))"
        let fix = "renew them, and move their expiry"
        return expiry.afterwards == .ignore || !group.isEnforced
            ? .warning(
                "pins-expired", stage: .pins, "\(message): clients stop looking, and so nothing is pinned", fix: fix)
            : .error(.pinMismatch, code: "pins-expired", stage: .pins, message, fix: fix)
    }

    private func allExpired(_ group: PinGroup) -> Finding {
        let message = "every pin of \(group) has expired"
        return group.isEnforced
            ? .error(.pinMismatch, code: "pins-expired", stage: .pins, message, fix: "pin what the server has now")
            : .warning("pins-expired", stage: .pins, message, fix: "pin what the server has now")
    }
}

/// The decision whether a transition window tolerates a certificate that is not the pinned one.
enum TransitionDecision: Hashable {
    /// It does, for this reason.
    case granted(String)
    /// It would, but depends on the server's time, which has not been requested yet.
    case unproven(String)
    /// It does not: the finding's code, and the reason if there is a window.
    case refused(code: String, String?)

    /// Decides, in this order (decided: stage-order): the window, who vouches for the certificate, the server's clock.
    ///
    /// - Parameters:
    ///   - window: the group's window; nil tolerates nothing.
    ///   - keysVouch: true if a group of keys matches and none fails.
    ///   - serverTime: the server's time; nil if it was not asked yet.
    ///   - remembered: the time at which it was asked, in a check that passed a short while ago; nil if unknown.
    ///   - instant: the clock's instant.
    init(
        _ window: TransitionWindow?, keysVouch: Bool, serverTime: ServerTime?, remembered: Date? = nil, at instant: Date
    ) {
        guard let window else {
            self = .refused(code: Outcome.pinMismatch.rawValue, nil)
            return
        }
        let span = "\(RFC3339.format(window.start)) to \(RFC3339.format(window.end))"
        guard window.contains(instant) else {
            let when = instant < window.start ? "has not begun" : "is over"
            self = .refused(code: Outcome.pinMismatch.rawValue, "its transition window, \(span), \(when)")
            return
        }
        guard keysVouch || window.fallback == .system else {
            self = .refused(
                code: "no-alternate-key",
                "its transition window is open, but tolerates only a certificate whose key is pinned")
            return
        }
        let voucher = keysVouch ? "its chain has a pinned key" : "any certificate with a trusted chain is, as asked"
        switch serverTime {
        case nil where remembered.map(window.contains) ?? false:
            self = .granted("\(voucher), in the window \(span), as when the server's time was asked last")
        case nil where window.onMissingDate == .strict:
            self = .refused(code: PinsMatch.awaitsServerTime, "whether the window is open for the server was not asked")
        case .unknown(let reason) where window.onMissingDate == .strict:
            self = .refused(code: "server-date-unknown", "the server's clock can't be compared: \(reason)")
        case nil:
            self = .unproven(
                "\(voucher), in the window \(span), whose openness the server was not asked about, as asked")
        case .unknown:
            self = .granted("\(voucher), in the window \(span), whose openness the server did not confirm, as asked")
        case .known(let date, let skew):
            guard abs(skew) <= window.maximumSkew else {
                self = .refused(
                    code: "clock-skew",
                    "our clock and the server's are \(abs(skew)) s apart, more than \(window.maximumSkew)")
                return
            }
            guard window.contains(date) else {
                self = .refused(
                    code: "server-outside-window",
                    "the server's time, \(RFC3339.format(date)), is outside the window \(span)")
                return
            }
            self = .granted("\(voucher), in the window \(span)")
        }
    }
}
