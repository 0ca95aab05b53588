public import ProbeLab

/// A revocation list as data: its issuer, and its certificates.
public struct RevocationListRecipe: Hashable, Sendable {
    /// The name on it.
    public let issuer: LabAuthority
    /// The revoked certificates.
    public let revoked: [CertificateRecipe.Subject]
    /// Its dates, extensions and signature.
    public let list: LabRevocationList

    /// Creates a current list, modified by `change`.
    public init(
        of issuer: LabAuthority = .intermediate, revoking revoked: CertificateRecipe.Subject...,
        change: (inout LabRevocationList) -> Void = { _ in }
    ) {
        self.issuer = issuer
        self.revoked = revoked
        list = LabRevocationList([[0x11, 0x22]], change: change)
    }

    func encoded(_ pki: LabPKI) throws -> [UInt8] {
        var list = list
        for subject in revoked {
            let certificate =
                switch subject {
                case .leaf(let name): try pki.identity(name).leaf
                case .authority(let authority): try pki.certificate(of: authority)
                }
            list.serials.append(try LabPKI.serial(of: certificate))
        }
        return try pki.encode(list, issuer: issuer)
    }
}
