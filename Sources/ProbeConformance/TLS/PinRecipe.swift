public import ProbeKit
public import ProbeLab
import ProbePins

/// A pin as data: its stated kind, and the hashed data.
public struct PinRecipe: Hashable, Sendable {
    /// The owner of the hashed data.
    public enum Subject: Hashable, Sendable {
        /// The leaf of an identity.
        case leaf(LabIdentityName)
        /// An authority.
        case authority(LabAuthority)
        /// A key that need not be in any certificate; it has no `cert` hash.
        case key(LabKeyID)
        /// A key that no server of the lab has.
        case nothing
    }

    /// The kind the pin is stated as.
    public let kind: PinKind
    /// The real kind of hash; users confuse them (decided: pin-kinds).
    public let made: PinKind
    /// The owner of the hashed data.
    public let subject: Subject

    /// Creates a pin of a kind; `made` is the real kind of its hash, if that differs.
    public init(_ kind: PinKind, of subject: Subject, made: PinKind? = nil) {
        self.kind = kind
        self.made = made ?? kind
        self.subject = subject
    }

    /// Returns the pin in terms of one PKI. The hashed bytes come from the lab's own keys, not from reading its
    /// certificates.
    func pin(_ pki: LabPKI) throws -> Pin {
        Pin(kind: kind, digest: PinDigest.sha256(of: try bytes(pki)))
    }

    private func bytes(_ pki: LabPKI) throws -> [UInt8] {
        let certificate: [UInt8]
        let key: LabKey
        switch subject {
        case .leaf(let name):
            let identity = try pki.identity(name)
            (certificate, key) = (identity.leaf, identity.key)
        case .authority(let authority):
            (certificate, key) = (try pki.certificate(of: authority), try pki.key(authority.recipe.key))
        case .key(let id):
            (certificate, key) = ([], try pki.key(id))
        case .nothing:
            return Array("no certificate of the lab".utf8)
        }
        return switch made {
        case .cert: certificate
        case .spki: key.spki
        case .rawkey: key.rawKey
        }
    }
}
