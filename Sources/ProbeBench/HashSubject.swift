import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform

/// A certificate that the hash path is measured on.
struct HashSubject: Sendable {
    /// The kind of its key, as the lab names it.
    let name: String
    /// Its DER.
    let certificate: [UInt8]
    /// Its SubjectPublicKeyInfo.
    let spki: [UInt8]
    /// SHA-256 of that.
    let digest: PinDigest

    /// Returns leaf certificates of the lab, with each of the servers' kinds of keys.
    static func all() throws -> [HashSubject] {
        let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))
        return try [LabIdentityName.rsa2048, .rsa4096, .good, .ed25519].map { name in
            let identity = try pki.identity(name)
            let slices = try CertificateSlices(certificate: identity.leaf.span)
            let spki = Array(identity.leaf[slices.spki])
            return HashSubject(
                name: identity.key.kind.rawValue, certificate: identity.leaf, spki: spki,
                digest: PinDigest.sha256(of: spki))
        }
    }

    /// An index with this certificate's pin and a backup.
    var pinned: PinIndex { PinIndex([Pin(kind: .spki, digest: digest), Pin(kind: .spki, digest: .sha256(of: [1]))]) }
}
