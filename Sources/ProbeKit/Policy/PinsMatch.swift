public import FoundationEssentials

/// The chain matches every group of pins: the groups of keys first, then those of certificates, which alone a transition
/// window may relax (requirements 3 to 16, decisions K2, K3, K8, K15, K18).
public struct PinsMatch: Policy {
    private let groups: [PinGroup]

    /// The code of a finding that the server's time may still change.
    static let awaitsServerTime = "transition-unproven"

    /// The groups that must all match.
    public init(_ groups: [PinGroup]) {
        self.groups = groups.filter(\.pinsKeys) + groups.filter { !$0.pinsKeys }
    }

    /// For each group a note that names the match, or one error or warning.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        var findings: [Finding] = []
        var keysVouch = false
        var keysFail = false
        // The last second counts to its end.
        let second = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        for group in groups {
            let pins = group.pins.filter { second <= group.pinExpiries[$0] ?? .distantFuture }
            if let expiry = group.expiry, second > expiry.last {
                findings.append(expired(group, expiry))
                continue
            }
            guard !pins.isEmpty || group.pins.isEmpty else {
                findings.append(allExpired(group))
                keysFail = keysFail || group.pinsKeys
                continue
            }
            switch PinGroupSearch(group, pins: pins, in: connection).run() {
            case .matched(let note):
                findings.append(note)
                keysVouch = keysVouch || group.pinsKeys
            case .mismatched(let message, let fix):
                keysFail = keysFail || group.pinsKeys
                let leniency = Leniency(
                    group.pinsKeys ? nil : group.window, keysVouch: keysVouch && !keysFail,
                    serverTime: connection.serverTime, remembered: connection.remembered, at: instant)
                findings.append(finding(group, leniency, message: message, fix: fix))
            }
        }
        return findings
    }

    private func finding(_ group: PinGroup, _ leniency: Leniency, message: String, fix: String) -> Finding {
        switch leniency {
        case .granted(let why):
            .warning("transition", stage: .pins, "\(message); tolerated: \(why)", fix: "\(fix), before the window ends")
        case .unproven(let why):
            .warning(
                Self.awaitsServerTime, stage: .pins, "\(message); tolerated: \(why)",
                fix: "\(fix), before the window ends")
        case _ where !group.isEnforced:
            .warning("pin-mismatch-reported", stage: .pins, "\(message); this group only reports", fix: fix)
        case .refused(let code, let why):
            .error(.pinMismatch, code: code, stage: .pins, message + (why.map { "; \($0)" } ?? ""), fix: fix)
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
