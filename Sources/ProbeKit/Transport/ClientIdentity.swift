/// A client's certificate and private key, to be shown to a server that asks for one.
public struct ClientIdentity: Sendable {
    /// The certificates as DER, the client's own first.
    public let chain: [[UInt8]]
    /// The private key of the first one, as DER of PKCS #8 (RFC 5958), not encrypted.
    public let key: Secret

    /// Creates an identity from a chain, which must not be empty, and the key of its first certificate.
    public init(chain: [[UInt8]], key: Secret) {
        self.chain = chain
        self.key = key
    }
}

extension ClientIdentity {
    /// Reads client identities from the bytes of files; its library parses the standard formats.
    public protocol Reader: Sendable {
        /// Returns the identity in a certificate file and a key file.
        ///
        /// - Parameters:
        ///   - certificate: PEM with the client's certificate first, or PKCS #12 with everything.
        ///   - key: PEM or DER of the key; nil if it is in `certificate`.
        ///   - passphrase: the passphrase of an encrypted key or of PKCS #12; nil if none was given.
        /// - Throws: ``ClientIdentity/Problem``.
        func identity(
            certificate: Secret, key: Secret?, passphrase: Secret?
        ) throws(ClientIdentity.Problem) -> ClientIdentity
    }
}

extension ClientIdentity {
    /// The reason why files contain no usable identity.
    @nonexhaustive public enum Problem: Error, Hashable, Sendable {
        /// There is no certificate, or one that can't be read.
        case noCertificate(String)
        /// There is no private key, or one that can't be read.
        case noKey(String)
        /// The key is encrypted, and no passphrase was given.
        case needsPassphrase
        /// The passphrase is not the right one.
        case wrongPassphrase
        /// The key is not the first certificate's.
        case keyOfAnother
    }
}
