public import ProbeKit

/// A type whose values are public: names of hosts, hashes, outcomes, numbers (requirement 75).
public protocol PublicInLogs: Sendable {
    /// The value as the log shows it.
    var logText: String { get }
}

extension PublicInLogs where Self: CustomStringConvertible {
    /// The value's description.
    public var logText: String { description }
}

extension Int: PublicInLogs {}
extension Duration: PublicInLogs {}
extension Target: PublicInLogs {}
extension Endpoint: PublicInLogs {}
extension ServerName: PublicInLogs {}
extension DNSName: PublicInLogs {}
extension ModelName: PublicInLogs {}

extension PinDigest: PublicInLogs {
    /// The digest in hex.
    public var logText: String { hex }
}

extension Outcome: PublicInLogs {
    /// The outcome's word.
    public var logText: String { rawValue }
}

extension OutcomeClass: PublicInLogs {
    /// The class's word.
    public var logText: String { rawValue }
}

extension BackendIdentity: PublicInLogs {
    /// The name alone.
    public var logText: String { name }
}

extension Finding: PublicInLogs {
    /// Stage and code, without the message, which quotes peers.
    public var logText: String { "\(stage.rawValue)/\(code)" }
}

extension DoHServer: PublicInLogs {
    /// The URL without credentials and query.
    public var logText: String { LoggedURL(description).logText }
}

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
