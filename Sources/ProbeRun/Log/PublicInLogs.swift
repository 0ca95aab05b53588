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
