import FoundationEssentials

/// Something that will happen to a service one day. The changes of the chain build on each other: each also has those
/// before it, since a new intermediate brings a new leaf.
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
    /// The second after the served certificate's last, with a certificate in its place that has its key: nothing can bring
    /// the old one back (requirement 53).
    case replacedBeforeExpiry = "replaced-before-expiry"
    /// The second after the served certificate's last, with that certificate still served.
    case certificateExpires = "certificate-expires"

    /// The change of the chain.
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
