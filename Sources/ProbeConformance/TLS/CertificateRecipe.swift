public import ProbeKit
public import ProbeLab
import ProbeTrust

/// An expected certificate as data.
public struct CertificateRecipe: Hashable, Sendable {
    /// The owner of a certificate.
    public enum Subject: Hashable, Sendable {
        /// The leaf of an identity.
        case leaf(LabIdentityName)
        /// An authority's.
        case authority(LabAuthority)
    }

    /// The alternatives.
    public let subjects: [Subject]
    /// The positions in the chain where it may be.
    public let position: PinPosition
    /// The chain to search.
    public let chain: PinChain

    /// Creates an expectation.
    public init(_ subjects: Subject..., at position: PinPosition = .any, in chain: PinChain = .validated) {
        self.subjects = subjects
        self.position = position
        self.chain = chain
    }

    func expectation(_ pki: LabPKI) throws -> CertificateExpectation {
        let certificates = try subjects.map { subject in
            switch subject {
            case .leaf(let name): try pki.identity(name).leaf
            case .authority(let authority): try pki.certificate(of: authority)
            }
        }
        return CertificateExpectation(
            name: "expected.pem", certificates: certificates, position: position, chain: chain)
    }
}
