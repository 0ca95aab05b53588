/// A URL as logs show it: scheme, host, port and path. The rest may be secret.
public struct LoggedURL: Hashable, Sendable, PublicInLogs {
    /// The URL without user, password, query and fragment.
    public let logText: String

    /// Takes a URL as written, well-formed or not.
    public init(_ url: String) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" || $0 == "{" } ?? url.endIndex
        var shown = url[..<end]
        // Without a scheme, `user:password@host` is meant as a URL.
        let start = shown.firstRange(of: "//")?.upperBound ?? shown.startIndex
        // A password may contain an unescaped '@' or '/': nothing before the last '@' is shown.
        if let at = shown[start...].lastIndex(of: "@") { shown.removeSubrange(start...at) }
        logText = String(shown)
    }
}
