import ProbeKit
import ProbeProfiles
import ProbeTrust

extension ReferenceVerifier {
    /// The system's list of public suffixes, read when it is first asked for.
    private static let suffixes = PublicSuffixList.system()

    /// Returns a verifier that knows public suffixes, if the system has a list of them.
    static func withSystemSuffixes() -> ReferenceVerifier {
        ReferenceVerifier { domain in suffixes?.isRegistry(domain) ?? false }
    }
}
