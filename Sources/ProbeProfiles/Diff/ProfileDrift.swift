import ProbeKit

/// One difference between two profiles.
public struct ProfileDrift: Hashable, Sendable, Encodable {
    /// The severity of a difference.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The files differ in something that both could express.
        case drift
        /// One of the formats can't express what the other does; the files are as similar as they can be.
        case platform
    }

    /// The kind of difference: `host`, `pins`, `subdomains`, `position`, `groups`, `expiry`, `pin-expiry`,
    /// `enforcement`, `chain`, `window` or `unlisted-host`.
    public let code: String
    /// The severity: whether it has to be fixed.
    public let severity: Severity
    /// The host, or another subject.
    public let subject: String
    /// The first profile's value; nil if it has none.
    public let first: String?
    /// The second profile's value; nil if it has none.
    public let second: String?

    private enum CodingKeys: CodingKey { case code, severity, subject, first, second }

    /// Writes every key, null for a missing value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(severity, forKey: .severity)
        try container.encode(subject, forKey: .subject)
        try container.encode(first, forKey: .first)
        try container.encode(second, forKey: .second)
    }
}
