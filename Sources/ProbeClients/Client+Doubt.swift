public import ProbeKit
import ProbeTrust

extension Client {
    /// Returns the reason why a refusal of the reference may not be shared by the client; nil if it is.
    ///
    /// - Parameters:
    ///   - cause: of the refusal.
    ///   - chain: the certificates that were sent.
    public func doubt(about cause: TrustCause, chain: [[UInt8]]) -> String? {
        switch cause {
        case .unknownIssuer where missingIssuers == .fetched && Self.namesAnIssuer(chain):
            "it fetches a missing issuer from the address in the certificate, which is not done here"
        case .unknownIssuer where missingIssuers == .remembered && Self.namesAnIssuer(chain):
            "it may know the missing issuer from elsewhere"
        case .weakKey where habits.minimumRSABits < 2048:
            "it accepts RSA keys from \(habits.minimumRSABits) bits, which the reference can't read"
        case .weakSignature where habits.acceptsSHA1:
            "it accepts signatures that the reference can't check"
        default: nil
        }
    }

    /// False if the chain ends at a certificate that signed itself, so that nothing can be fetched.
    private static func namesAnIssuer(_ chain: [[UInt8]]) -> Bool {
        guard let last = chain.last.flatMap({ try? CertificateDetails(certificate: $0) }) else { return false }
        return last.subject != last.issuer
    }
}
