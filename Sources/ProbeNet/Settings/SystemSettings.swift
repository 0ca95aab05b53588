import CProbeSettings
import ProbePlatform

/// The settings of the machine and the user from which TLS and DNS libraries would take their own: variables like
/// `OPENSSL_CONF`, `SSLKEYLOGFILE` or `https_proxy`, and the files that are read where no variable names another.
///
/// A program that links a backend sets them aside before any library sees them: what a probe finds depends on the request
/// alone. `PROBE_SYSTEM_SETTINGS=1` in the environment leaves everything as it is.
public enum SystemSettings: Sendable {
    /// True if the libraries run with these settings because somebody asked for them.
    public static var areAsked: Bool { cprobe_settings_are_asked() != 0 }

    /// The variable by which they are asked for.
    package static var variable: String { CPROBE_SETTINGS_VARIABLE }

    /// The variables that were set aside, with their values.
    public static var setAside: [String: String] {
        var settings: [String: String] = [:]
        for index in 0..<cprobe_settings_count() {
            guard let entry = unsafe cprobe_setting_at(index).map({ unsafe String(cString: $0) }) else { continue }
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { settings[String(parts[0])] = String(parts[1]) }
        }
        return settings
    }

    /// The changes that give a child process the environment as it was: for programs of the user's that are not backends.
    /// Nil removes a variable: those that have a value of ours, and the one that asks for the settings, which a program that
    /// links a backend would take for its own user's wish.
    public static var restoring: [String: String?] {
        var changes: [String: String?] = [:]
        changes.updateValue(nil, forKey: variable)
        for index in 0..<cprobe_overrides_count() {
            if let name = unsafe cprobe_override_at(index) {
                changes.updateValue(nil, forKey: unsafe String(cString: name))
            }
        }
        for (name, value) in setAside { changes.updateValue(value, forKey: name) }
        return changes
    }

    /// Returns true if a library may take settings from the variable of this name.
    public static func includes(_ name: String) -> Bool { unsafe cprobe_is_setting(name) != 0 }

    /// Runs this program again from its beginning, with the settings.
    ///
    /// - Returns: the reason where that can't be done.
    public static func restart() -> String {
        var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        unsafe cprobe_settings_restart(&arguments)
        let reason = unsafe String(cString: strerror(errno))
        for index in unsafe arguments.indices { unsafe free(arguments[index]) }
        return reason
    }
}
