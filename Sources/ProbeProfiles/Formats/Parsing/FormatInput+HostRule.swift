import ProbeKit

extension FormatInput {
    /// Returns a rule for a name as a platform's file has it; nil, with a warning, if the platform would never match
    /// it.
    func rule(
        _ name: String, _ semantics: HostSemantics, subdomains: Bool, pins: [PinSet], platform: String,
        notes: inout [FormatNote]
    ) -> HostRule? {
        if name.hasSuffix("."), semantics == .ats {
            notes.append(
                .warning(
                    "never-matches", "'\(name)' ends with a dot, which \(platform) takes literally: it never matches"))
            return nil
        }
        do throws(InputError) {
            let rule = try HostRule(pattern: name, semantics: semantics, includesSubdomains: subdomains, pins: pins)
            if rule.pattern != name, name.lowercased() != name {
                notes.append(.note("case", "'\(name)' is read as \(rule.pattern)"))
            }
            return rule
        } catch {
            let why = name.contains("*") ? "has a wildcard, which \(platform) takes literally" : "is not a host name"
            notes.append(.warning("never-matches", "'\(name)' \(why): it never matches"))
            return nil
        }
    }
}
