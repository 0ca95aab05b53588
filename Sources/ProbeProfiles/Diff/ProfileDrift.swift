import ProbeKit

/// One difference between two profiles.
public struct ProfileDrift: Hashable, Sendable, Encodable {
    /// Whether somebody has to do something about it.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The files say different things that both could say.
        case drift
        /// One of the formats can't say what the other does; the files are as alike as they can be.
        case platform
    }

    /// What differs: `host`, `pins`, `subdomains`, `position`, `groups`, `expiry`, `pin-expiry`, `enforcement`, `chain`,
    /// `window` or `unlisted-host`.
    public let code: String
    /// Whether it is to be mended.
    public let severity: Severity
    /// The host, or what else it is about.
    public let subject: String
    /// What the first profile says; nil for nothing.
    public let first: String?
    /// What the second profile says; nil for nothing.
    public let second: String?

    private enum CodingKeys: CodingKey { case code, severity, subject, first, second }

    /// Writes every key, null if there is nothing to say.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(severity, forKey: .severity)
        try container.encode(subject, forKey: .subject)
        try container.encode(first, forKey: .first)
        try container.encode(second, forKey: .second)
    }
}
