/// The rule for a host without pins in a profile. The clients differ: some refuse, most let the system decide.
public enum UnlistedHost: String, Hashable, Sendable, Codable, CaseIterable {
    /// The check fails: one that checks no pins must not look like one that did.
    case fail
    /// The system's trust decides alone.
    case system
    /// It is not checked.
    case skip
}
