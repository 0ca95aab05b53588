/// A CMS message of the lab, and the certificates it was signed with.
public struct LabCMSMessage: Sendable {
    /// The message, DER or PEM.
    public let bytes: [UInt8]
    /// The signers' certificates as DER, in the order of the recipe.
    public let certificates: [[UInt8]]
    /// The bytes of the first signature: the signed attributes as a SET, or the content.
    public let signedBytes: [UInt8]
}

extension LabPKI {
    /// Signs a message; its certificates are new each time.
    public func sign(_ recipe: LabCMSRecipe) throws -> LabCMSMessage {
        var identities: [LabCMSEncoder.Identity] = []
        for signer in recipe.signers {
            let certificate = signer.certificate
            identities.append(
                LabCMSEncoder.Identity(
                    certificate: try issue(certificate), key: try key(certificate.key),
                    issuers: try (certificate.issuer?.pathBelowRoot ?? []).map(self.certificate(of:))))
        }
        return try LabCMSEncoder(
            recipe: recipe, identities: identities, further: recipe.furtherAuthorities.map(certificate(of:))
        ).encode()
    }
}
