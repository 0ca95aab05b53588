/// A command that options stand in: their help mentions a profile only where the command takes one.
protocol OptionSetting: Sendable {
    /// True if the command takes a profile.
    static var takesProfile: Bool { get }
}

extension OptionSetting {
    /// Returns the words of a command that takes a profile, or those of one that does not.
    static func beside(_ words: String, else others: String) -> String { takesProfile ? words : others }
}

/// A command that takes a profile.
enum BesideProfile: OptionSetting {
    static let takesProfile = true
}

/// A command without one.
enum WithoutProfile: OptionSetting {
    static let takesProfile = false
}
