public import ProbeKit

/// The files of a client identity, by their paths; certificate and key may be in a PKCS #11 token, by its URI.
public struct IdentityFiles: Hashable, Sendable {
    /// PEM with the client's certificate first, or PKCS #12 with everything.
    public var certificate: String
    /// The key; nil if it is in the certificate's file, or in the same token.
    public var key: String?
    /// The passphrase of the key, or of PKCS #12, or the token's PIN; nil if there is none.
    public var passphrase: String?
    /// The origin of URIs among them.
    public var origin: TokenURI.Origin

    /// Creates the paths of a client identity.
    public init(
        certificate: String, key: String? = nil, passphrase: String? = nil, origin: TokenURI.Origin = .file
    ) {
        self.certificate = certificate
        self.key = key
        self.passphrase = passphrase
        self.origin = origin
    }

    /// Checks the URIs among them, without opening anything.
    ///
    /// - Throws: `InputError` naming the fault.
    public func check() throws(InputError) { _ = try TokenIdentity(self) }

    /// Returns the same files, each path changed by `locate`; a URI has no folder to start at.
    public func located(_ locate: (String) -> String) -> IdentityFiles {
        func place(_ text: String) -> String { TokenURI.isMeant(by: text) ? text : locate(text) }
        return IdentityFiles(
            certificate: place(certificate), key: key.map(place), passphrase: passphrase.map(locate), origin: origin)
    }

    /// Reads the identity. Files with a key or a passphrase have to be their owner's alone.
    ///
    /// - Parameters:
    ///   - reader: parses the files.
    ///   - tokens: opens keys in tokens; nil if nothing does.
    ///   - ask: asks for a passphrase that no file has; returns nil without an answer.
    /// - Throws: `InputError` naming the file.
    public func read(
        by reader: any ClientIdentity.Reader, tokens: (any ClientIdentity.TokenReader)? = nil,
        asking ask: (String) -> Secret?
    ) throws(InputError) -> ClientIdentity {
        if let token = try TokenIdentity(self) { return try token.read(by: tokens, asking: ask) }
        // A certificate alone may be anybody's to read.
        let chain =
            key == nil
            ? try SecretFile.read(certificate, alternative: ", or name the key's file too if this one has none")
            : try Self.certificates(certificate)
        let secretKey = try secret(key)
        let phrase = try secret(passphrase)
        do throws(ClientIdentity.Problem) {
            return try reader.identity(certificate: chain, key: secretKey, passphrase: phrase)
        } catch {
            guard error == .needsPassphrase, let typed = ask("passphrase of \(key ?? certificate): ") else {
                throw fault(error)
            }
            return try opened(by: reader, chain, secretKey, typed)
        }
    }

    /// Returns the bytes of a file with certificates alone, which is nobody's secret.
    static func certificates(_ path: String) throws(InputError) -> Secret {
        let bytes = try InputFile.bytes(of: path, limit: SecretFile.maximumBytes, kind: "client certificate")
        return Secret(copying: bytes.span)
    }

    private func opened(
        by reader: any ClientIdentity.Reader, _ chain: Secret, _ secretKey: Secret?, _ phrase: Secret
    ) throws(InputError) -> ClientIdentity {
        do throws(ClientIdentity.Problem) {
            return try reader.identity(certificate: chain, key: secretKey, passphrase: phrase)
        } catch {
            throw fault(error)
        }
    }

    private func secret(_ path: String?) throws(InputError) -> Secret? {
        guard let path else { return nil }
        return try SecretFile.read(path)
    }

    private func fault(_ problem: ClientIdentity.Problem) -> InputError {
        func refuse(_ message: String, _ remedy: String) -> InputError {
            InputError(message, remedy: remedy, source: .file)
        }
        let file = key ?? certificate
        switch problem {
        case .noCertificate(let words):
            return refuse(
                "\(certificate) has no usable client certificate: \(words)",
                "give PEM with the client's certificate first, or PKCS #12")
        case .noKey(let words):
            return refuse(
                "\(file) has no usable private key: \(words)",
                key == nil ? "name the file that has the key too" : "give the key as PEM, or PKCS #12 with both")
        case .needsPassphrase:
            return refuse(
                "the key in \(file) is encrypted", "write its passphrase to a file of mode 600 and name that")
        case .wrongPassphrase:
            return refuse("the passphrase does not open \(file)", "give the one that it was encrypted with")
        case .keyOfAnother:
            return refuse(
                "the key in \(file) is not that of the first certificate in \(certificate)",
                "give the two that belong together")
        case .noReader(let absence):
            return InputError("\(certificate) can't be read: \(absence.reason)", remedy: absence.remedy)
        case .noModule(let words), .tokenFailed(let words):
            return refuse("\(file) can't be used: \(words)", "give the key as PEM")
        case .noToken, .lockedPIN:
            return refuse("\(file) is not in a token", "give the key as PEM")
        }
    }
}
