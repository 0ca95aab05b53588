import ProbeKit
import ProbePlatform

/// The decision whether a transition window tolerates a certificate that is not the pinned one.
enum TransitionDecision: Hashable {
    /// It does, for this reason.
    case granted(String)
    /// It would, but depends on the server's time, which has not been requested yet.
    case unproven(String)
    /// It does not: the finding's code, and the reason if there is a window.
    case refused(code: String, String?)

    /// A failure of the connection whatever the server's time is, as the reason for not asking for it.
    enum Failure: String {
        case enforced = "the connection fails anyway"
        /// By pins that only report.
        case reported = "other pins would fail the connection anyway"
    }

    /// True if the window does not tolerate the certificate.
    var isRefusal: Bool {
        guard case .refused = self else { return false }
        return true
    }

    /// Decides for a group of pins; a window relaxes certificates alone.
    ///
    /// - Parameter failure: the failure of the connection that the decision does not change; nil if it may.
    init(
        of group: PinGroup, keysVouch: Bool, in connection: ConnectionEvidence, failure: Failure?, at instant: Date
    ) {
        guard group.pinsKeys, group.window != nil else {
            self.init(
                group.window, keysVouch: keysVouch, serverTime: connection.serverTime,
                remembered: connection.remembered, failure: failure,
                isInstantChosen: connection.isInstantChosen, at: instant)
            return
        }
        self = .refused(
            code: Outcome.pinMismatch.rawValue,
            "its transition window is without effect: a window relaxes certificate pins alone")
    }

    /// Decides, in this order (decided: stage-order): the window, who vouches for the certificate, the server's clock.
    ///
    /// - Parameters:
    ///   - window: the group's window; nil tolerates nothing.
    ///   - keysVouch: true if a group of keys matches and none fails.
    ///   - serverTime: the server's time; nil if it was not asked yet.
    ///   - remembered: the time at which it was asked, in a check that passed a short while ago; nil if unknown.
    ///   - failure: the failure that the decision does not change, so that the server was not asked; nil if it may.
    ///   - isInstantChosen: true if the instant was chosen, so that no clock is wrong.
    ///   - instant: the clock's instant.
    init(
        _ window: TransitionWindow?, keysVouch: Bool, serverTime: ServerTime?, remembered: Date? = nil,
        failure: Failure? = nil, isInstantChosen: Bool = false, at instant: Date
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
            guard let failure else {
                self = .refused(
                    code: PinsMatch.awaitsServerTime, "whether the window is open for the server was not asked")
                return
            }
            self = .refused(
                code: Outcome.pinMismatch.rawValue,
                "its transition window is open, but the server was not asked for its time: \(failure.rawValue)")
        case .unknown(let reason) where window.onMissingDate == .strict:
            self = .refused(code: "server-date-unknown", "the server's clock can't be compared: \(reason)")
        case .notOffered(let reason) where window.onMissingDate == .strict:
            self = .refused(
                code: Self.withoutServerDate, "its transition window needs the server's time: \(reason)")
        case nil:
            let tolerance = "\(voucher), in the window \(span), whose openness the server was not asked about"
            guard let failure else {
                self = .unproven("\(tolerance), as asked")
                return
            }
            self = .granted("\(tolerance): \(failure.rawValue)")
        case .unknown, .notOffered:
            self = .granted("\(voucher), in the window \(span), whose openness the server did not confirm, as asked")
        case .known(let date, let skew):
            guard abs(skew) <= window.maximumSkew else {
                let ours = isInstantChosen ? "the chosen instant and the server's clock" : "our clock and the server's"
                self = .refused(
                    code: "clock-skew", "\(ours) are \(abs(skew)) s apart, more than \(window.maximumSkew)")
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

    /// The code of a refusal because the protocol has no time to compare with.
    private static let withoutServerDate = "no-server-date"

    /// Returns the fix: that of the mismatch, unless the reason of a refusal is elsewhere.
    ///
    /// - Parameter isInstantChosen: true if no clock shows the instant that is judged.
    func fix(insteadOf mismatch: Fix, isInstantChosen: Bool = false) -> Fix {
        guard case .refused(let code, _) = self else { return mismatch }
        return switch code {
        case "no-alternate-key": "pin the certificate's key too, which then vouches for it; or \(mismatch)"
        case "clock-skew" where isInstantChosen: "\(.judgeNow)"
        case "clock-skew": "set the clock that is wrong, this machine's or the server's"
        // Nothing that the server or the clock could do opens the window.
        case Self.withoutServerDate: "\(mismatch); pin the next certificate too before it is deployed"
        case "server-date-unknown": "configure the server to answer HEAD with one Date"
        case PinsMatch.awaitsServerTime: "\(.askServerTime)"
        case "server-outside-window": "move the window so that it is open by both clocks; or \(mismatch)"
        default: mismatch
        }
    }
}
