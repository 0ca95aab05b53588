/// The rule for asking the server for its time, with an HTTP HEAD request over the connection.
public enum ServerDateMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// If the verdict depends on it: a pinned certificate was replaced within its transition window.
    case whenItDecides = "when-it-decides"
    /// On every connection that passes so far.
    case always
    /// Never: transition windows then tolerate nothing, unless the window allows a missing date.
    case never
}
