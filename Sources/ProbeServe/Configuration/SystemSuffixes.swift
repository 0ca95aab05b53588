import ProbeKit
import ProbeProfiles

/// The system's list of public suffixes: it decides which hosts a profile's rules cover, and which wildcards are too wide.
enum SystemSuffixes {
    /// A digest of the list. A process reads it once, so that no configuration that is read later would have it among its files.
    static let digest: String = {
        let files = FileDigest()
        // ProbeProfiles reads it when a rule of TrustKit's is first compared with a name below its own.
        _ = try? InputFile.observed(by: files) { () throws(InputError) in
            try HostRule(pattern: "b.test", semantics: .trustkit, includesSubdomains: true)
                .matches(try ServerName("a.b.test"))
        }
        return files.hex
    }()
}
