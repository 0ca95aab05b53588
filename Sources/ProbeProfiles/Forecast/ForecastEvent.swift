import ProbeKit
public import ProbePlatform

/// A future event of a service. The changes of the chain build on each other: each includes those before it, since a
/// new intermediate brings a new leaf.
public enum ForecastEvent: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing changes.
    case asServed = "as-served"
    /// The leaf is replaced, its key stays (requirement 6).
    case renewedSameKey = "renewed-same-key"
    /// The leaf is replaced by one with the key, or the certificate, that is pinned as a backup.
    case renewedBackupKey = "renewed-backup-key"
    /// The leaf is replaced by one with an unpinned key.
    case renewedNewKey = "renewed-new-key"
    /// The same, below another intermediate of the same root.
    case newIntermediate = "new-intermediate"
    /// The same, below another root.
    case newRoot = "new-root"
    /// The leaf is replaced with its key in a transition window's first second.
    case windowSameKey = "in-window-same-key"
    /// The leaf is replaced by one with the backup's key in the window.
    case windowBackupKey = "in-window-backup-key"
    /// The leaf is replaced by one with an unpinned key in the window.
    case windowNewKey = "in-window-new-key"
    /// The second after the window, with the replaced leaf still there.
    case afterWindow = "after-window"
    /// Pins expire, and nothing else changes.
    case pinsExpire = "pins-expire"
    /// The second after the served certificate's last, with a certificate in its place that has its key, the one that is
    /// pinned beside it if any is: nothing can bring the old one back (requirement 53).
    case replacedBeforeExpiry = "replaced-before-expiry"
    /// The second after the last of the served certificate, or of an intermediate that ends before it, with that certificate still
    /// served.
    case certificateExpires = "certificate-expires"

    /// The usual change of the chain.
    var change: ForecastChain.Change {
        switch self {
        case .asServed, .pinsExpire, .certificateExpires: .none
        case .renewedSameKey, .windowSameKey, .afterWindow, .replacedBeforeExpiry: .sameKey
        case .renewedBackupKey, .windowBackupKey: .backupKey
        case .renewedNewKey, .windowNewKey: .newKey
        case .newIntermediate: .newIntermediate
        case .newRoot: .newRoot
        }
    }

    /// Returns the frequency of the event in words; nil if its date is what counts.
    ///
    /// - Parameter instant: the day from which a leaf would be renewed.
    func frequency(at instant: Date) -> String? {
        switch self {
        case .renewedSameKey: "at least every \(LeafLifetime.days(issuedAt: instant)) days"
        case .renewedNewKey: "with any renewal that does not keep the key"
        case .newIntermediate: "when the CA chooses, in some CAs at random"
        case .newRoot: "rarely: another CA, or the CA's own change"
        case .renewedBackupKey: "when the key is lost or has to go"
        case .asServed, .windowSameKey, .windowBackupKey, .windowNewKey, .afterWindow, .pinsExpire,
            .replacedBeforeExpiry, .certificateExpires:
            nil
        }
    }
}

/// An event with the instant at which it is judged.
struct ForecastEntry {
    let event: ForecastEvent
    /// The change of the chain.
    let change: ForecastChain.Change
    /// The instant of the judgement.
    let instant: Date
    /// The time of the event, to the second; nil if unknown.
    let date: Date?
    /// The certificate of a CA that ends before the leaf; nil where the event is about another.
    let ending: String?

    init(
        _ event: ForecastEvent, at instant: Date, date: Date? = nil, ending: String? = nil,
        change: ForecastChain.Change? = nil
    ) {
        self.event = event
        self.change = change ?? event.change
        self.instant = instant
        self.date = date
        self.ending = ending
    }

    /// Creates an event that happens at an instant and is judged then.
    init(
        _ event: ForecastEvent, on instant: Date, ending: String? = nil, change: ForecastChain.Change? = nil
    ) {
        self.init(event, at: instant, date: instant, ending: ending, change: change)
    }
}

/// The maximum lifetimes of public server certificates, by the CA/Browser Forum's ballot SC-081v3.
public enum LeafLifetime: Sendable {
    /// The first day of each limit, and the limit in days.
    public static let schedule: [(from: String, days: Int)] = [
        ("2020-09-01", 398), ("2026-03-15", 200), ("2027-03-15", 100), ("2029-03-15", 47),
    ]

    /// Returns the most days that a certificate issued at an instant may live.
    public static func days(issuedAt instant: Date) -> Int {
        let day = RFC3339.day(instant)
        return schedule.last { $0.from <= day }?.days ?? 825
    }
}
