public import ProbeKit

/// The files of a client identity, by their paths.
public struct IdentityFiles: Hashable, Sendable {
    /// PEM with the client's certificate first, or PKCS #12 with everything.
    public var certificate: String
    /// The key; nil if it is in the certificate's file.
    public var key: String?
    /// The passphrase of the key, or of PKCS #12; nil if there is none.
    public var passphrase: String?

    /// Creates the paths of a client identity.
    public init(certificate: String, key: String? = nil, passphrase: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.passphrase = passphrase
    }

    /// Reads the identity. Files with a key or a passphrase have to be their owner's alone.
    ///
    /// - Parameters:
    ///   - reader: parses the files.
    ///   - ask: asks a person for the passphrase where one is needed and there is no file; returns nil without an answer.
    /// - Throws: `InputError` naming the file.
    public func read(by reader: any ClientIdentity.Reader, asking ask: () -> Secret?) throws(InputError)
        -> ClientIdentity
    {
        let chain: Secret
        if key == nil {
            chain = try SecretFile.read(certificate)
        } else {
            let bytes = try InputFile.bytes(
                of: certificate, limit: SecretFile.maximumBytes, kind: "client certificate")
            chain = Secret(copying: bytes.span)
        }
        let secretKey = try secret(key)
        let phrase = try secret(passphrase)
        do throws(ClientIdentity.Problem) {
            return try reader.identity(certificate: chain, key: secretKey, passphrase: phrase)
        } catch {
            guard error == .needsPassphrase, let typed = ask() else { throw fault(error) }
            return try opened(by: reader, chain, secretKey, typed)
        }
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
                "\(file) has no usable private key: \(words)", "give the key as PEM, or PKCS #12 with both")
        case .needsPassphrase:
            return refuse(
                "the key in \(file) is encrypted", "write its passphrase to a file of mode 600 and name that")
        case .wrongPassphrase:
            return refuse("the passphrase does not open \(file)", "give the one that it was encrypted with")
        case .keyOfAnother:
            return refuse(
                "the key in \(file) is not that of the first certificate in \(certificate)",
                "give the two that belong together")
        }
    }
}
