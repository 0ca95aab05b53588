public import ProbeKit
import ProbeTrust

extension Client {
    /// Returns the reason why a refusal of the reference may not be shared by the client; nil if it is.
    ///
    /// - Parameters:
    ///   - cause: of the refusal.
    ///   - chain: the certificates that were sent.
    ///   - roots: the client's own, whose keys and signatures may be the weak ones.
    public func doubt(about cause: TrustCause, chain: [[UInt8]], roots: [[UInt8]] = []) -> String? {
        switch cause {
        case .unknownIssuer where missingIssuers == .fetched && UnsentIssuer(of: chain)?.hasAddress == true:
            "it fetches a missing issuer from the address in the certificate, which is not done here"
        case .unknownIssuer where missingIssuers == .remembered && UnsentIssuer(of: chain) != nil:
            "it may know the missing issuer from elsewhere"
        case .weakKey where ChainStrength(chain, roots: roots).hasRefusedRSAKey(from: habits.minimumRSABits):
            "it accepts RSA keys from \(habits.minimumRSABits) bits, which the reference can't read"
        case .weakSignature where habits.acceptsSHA1 && ChainStrength(chain, roots: roots).hasSHA1:
            "it accepts signatures that the reference can't check"
        default: nil
        }
    }
}
