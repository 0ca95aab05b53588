/// When the server is asked for its time, by an HTTP HEAD over the connection.
public enum ServerDateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// When the verdict depends on it: a pinned certificate was replaced within its transition window.
    case whenItDecides = "when-it-decides"
    /// On every connection that passes so far.
    case always
    /// Never: there is no tolerance in a transition window then, unless the window stands without a date.
    case never
}
