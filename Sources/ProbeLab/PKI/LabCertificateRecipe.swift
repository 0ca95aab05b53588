public import ProbeKit
import X509

/// A certificate as data: its fields, its signer, and its faults.
public struct LabCertificateRecipe: Hashable, Sendable {
    /// The role: whether the certificate may issue others (RFC 5280 section 4.2.1.9).
    public enum Role: Hashable, Sendable {
        /// A certificate that issues nothing.
        case leaf
        /// A CA with at most so many CAs below it; nil sets no limit.
        case authority(pathLength: Int?)
    }

    /// The subject's common name.
    public var commonName: String
    /// The subject as a DER Name, if a common name does not suffice.
    public var encodedSubject: [UInt8]?
    /// The key it certifies.
    public var key: LabKeyID
    /// The signer; nil for a self-signed certificate.
    public var issuer: LabAuthority?
    /// First and last second of validity, in seconds from the PKI's epoch; both ends are valid (RFC 5280 section 4.1.2.5).
    public var validity: ClosedRange<Int>
    /// The role: whether it may issue others.
    public var role: Role
    /// The DNS names of its subjectAltName.
    public var dnsNames: [String] = []
    /// The IP addresses of its subjectAltName.
    public var addresses: [IPAddress] = []
    /// Its key usage; nil leaves the extension out.
    public var keyUsage: LabKeyUsage?
    /// Its extended key usage; nil leaves the extension out, an empty list writes an empty extension.
    public var purposes: [LabPurpose]?
    /// The DNS subtrees names below it must be in (RFC 5280 section 4.2.1.10); empty for no such constraint.
    public var permittedNames: [String] = []
    /// The DNS subtrees names below it must not be in.
    public var excludedNames: [String] = []
    /// The signature scheme; nil for the usual one of the issuer's key.
    public var signature: LabSignature?
    /// The encoding of its public key.
    public var keyEncoding: LabKeyEncoding = .standard
    /// True for version 1, which has no extensions.
    public var isVersionOne = false
    /// True if it has no basic constraints, and so no stated role.
    public var leavesOutRole = false
    /// The content of its serial number; nil takes a random one.
    public var serial: [UInt8]?
    /// The bits of its subject's unique identifier (RFC 5280 section 4.1.2.8); nil leaves it out.
    public var uniqueIdentifier: [UInt8]?
    /// Further extensions; one with the identifier of an extension above replaces that.
    public var extensions: [LabExtension] = []
    /// Extensions that are left out although the recipe would write them, by object identifier.
    public var omittedExtensions: [[UInt]] = []
    /// True if one bit of the signature is flipped.
    public var breaksSignature = false

    /// Returns a server certificate for `good.test` and `www.good.test`, valid for 30 days already and 60 more, with a
    /// P-256 key labelled like the certificate, modified by `change`.
    public static func leaf(
        _ label: String, issuer: LabAuthority? = .intermediate, change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) -> LabCertificateRecipe {
        var recipe = LabCertificateRecipe(
            commonName: "good.test", key: LabKeyID(.p256, label), issuer: issuer, validity: days(-30, 60), role: .leaf,
            dnsNames: ["good.test", "www.good.test"], keyUsage: .digitalSignature, purposes: [.server])
        change(&recipe)
        return recipe
    }

    /// Returns a CA certificate, valid for a year already and nine more, with a P-256 key labelled like its name,
    /// modified by `change`.
    public static func authority(
        _ commonName: String, issuer: LabAuthority?, pathLength: Int? = nil,
        change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) -> LabCertificateRecipe {
        var recipe = LabCertificateRecipe(
            commonName: commonName, key: LabKeyID(.p256, commonName), issuer: issuer, validity: days(-365, 9 * 365),
            role: .authority(pathLength: pathLength), keyUsage: [.certificateSigning, .crlSigning])
        change(&recipe)
        return recipe
    }

    /// Returns a validity of whole days from the epoch.
    public static func days(_ first: Int, _ last: Int) -> ClosedRange<Int> {
        first * 86_400...last * 86_400
    }
}

/// A purpose in a certificate's extended key usage (RFC 5280 section 4.2.1.12).
public enum LabPurpose: String, Hashable, Sendable, CaseIterable {
    /// id-kp-serverAuth.
    case server
    /// id-kp-clientAuth.
    case client
    /// anyExtendedKeyUsage.
    case any
    /// id-kp-OCSPSigning.
    case ocspSigning = "ocsp-signing"
    /// id-kp-timeStamping.
    case timeStamping = "time-stamping"

    var usage: ExtendedKeyUsage.Usage {
        switch self {
        case .server: .serverAuth
        case .client: .clientAuth
        case .any: .any
        case .ocspSigning: .ocspSigning
        case .timeStamping: .timeStamping
        }
    }
}

/// The encoding of a certificate's public key. The odd ones are those that stacks are known to decode differently.
public enum LabKeyEncoding: String, Hashable, Sendable, CaseIterable {
    /// The encoding of RFC 3279, 5480 and 8410.
    case standard
    /// An RSA AlgorithmIdentifier without its NULL (RFC 3279 section 2.3.1 demands it).
    case rsaWithoutNull = "rsa-without-null"
    /// An EC point in compressed form (RFC 5480 section 2.2 allows it).
    case compressedPoint = "compressed-point"
    /// An RSA key of 8200 bits without a private key, in the place of the real one.
    case giantModulus = "giant-modulus"
    /// An EC point under an unknown algorithm: its identifier is from the arc of examples (2.999).
    case unknownAlgorithm = "unknown-algorithm"
}
