/// A client's certificate and private key, to be shown to a server that asks for one.
public struct ClientIdentity: Sendable {
    /// The certificates as DER, the client's own first.
    public let chain: [[UInt8]]
    /// The private key of the first one.
    public let key: Key

    /// Creates an identity from a chain, which must not be empty, and the key of its first certificate.
    public init(chain: [[UInt8]], key: Key) {
        self.chain = chain
        self.key = key
    }

    /// The capabilities that a transport needs to show it.
    public var requiredCapabilities: Set<TransportCapability> {
        switch key {
        case .pkcs8: [.clientIdentity]
        case .token: [.clientIdentity, .tokenKey]
        }
    }
}

extension ClientIdentity {
    /// A private key: its bytes, or a place that they never leave.
    @nonexhaustive public enum Key: Sendable {
        /// DER of PKCS #8 (RFC 5958), not encrypted.
        case pkcs8(Secret)
        /// A key in a PKCS #11 token, opened by the library that signs with it.
        case token(any TokenKey)
    }

    /// A private key in a PKCS #11 token, open as long as somebody holds it. Only the stack that opened it can sign with it.
    public protocol TokenKey: AnyObject, Sendable {
        /// The key's URI (RFC 7512), without a PIN.
        var uri: String { get }
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

    /// Opens client identities whose key is in a PKCS #11 token.
    public protocol TokenReader: Sendable {
        /// Opens a key in a token, and returns it with its certificate.
        ///
        /// A PIN that the token refused is not tried again: tokens lock.
        ///
        /// - Parameters:
        ///   - certificate: PEM with the client's certificate first; nil if it is in a token.
        ///   - object: the URI of the certificate in a token; nil if `certificate` has it.
        ///   - key: the URI of the private key.
        ///   - modules: the paths of the PKCS #11 modules to load; empty loads those that the system is configured for.
        ///   - pin: the token's PIN; nil if none was given.
        /// - Throws: ``ClientIdentity/Problem``.
        func identity(
            certificate: Secret?, object: String?, key: String, modules: [String], pin: Secret?
        ) throws(ClientIdentity.Problem) -> ClientIdentity
    }
}

extension ClientIdentity {
    /// The reason why files or tokens contain no usable identity.
    @nonexhaustive public enum Problem: Error, Hashable, Sendable {
        /// There is no certificate, or one that can't be read.
        case noCertificate(String)
        /// There is no private key, or one that can't be read.
        case noKey(String)
        /// The key is encrypted, and no passphrase was given; or a token wants a PIN.
        case needsPassphrase
        /// The passphrase, or the PIN, is not the right one.
        case wrongPassphrase
        /// The key is not the first certificate's.
        case keyOfAnother
        /// A PKCS #11 module can't be loaded.
        case noModule(String)
        /// No token matches the URI; the labels are of those that are there.
        case noToken(present: [String])
        /// The token's PIN is locked.
        case lockedPIN
        /// The library that reads it is not on this machine.
        case noReader(BackendAbsence)
        /// The token, or its module, failed.
        case tokenFailed(String)
    }
}
