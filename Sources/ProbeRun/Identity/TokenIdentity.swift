import ProbeKit

/// A client identity whose key is in a PKCS #11 token, as its files and URIs name it.
struct TokenIdentity {
    /// The certificate's file; nil if it is in a token.
    private let file: String?
    /// The certificate's URI, with its type.
    private let object: String?
    /// The key's URI, with its type.
    private let key: String
    private let modules: [String]
    private let pinFile: String?
    private let origin: TokenURI.Origin

    /// Reads the URIs; nil if there are none.
    ///
    /// - Throws: ``InputError`` about the origin of the files.
    init?(_ files: IdentityFiles) throws(InputError) {
        do throws(InputError) {
            try self.init(reading: files)
        } catch {
            throw InputError(
                error.message, remedy: error.remedy, source: files.origin == .operatorsOwn ? .argument : .file)
        }
    }

    private init?(reading files: IdentityFiles) throws(InputError) {
        let certificate = try Self.uri(files.certificate, files.origin)
        let privateKey = try files.key.map { text throws(InputError) in try Self.uri(text, files.origin) } ?? nil
        guard certificate != nil || privateKey != nil else { return nil }
        if certificate != nil, privateKey == nil, files.key != nil {
            throw InputError(
                "the certificate is in a PKCS #11 token, and its key in a file",
                remedy: "leave the key out if the token has it, or give the certificate as a file")
        }
        file = certificate == nil ? files.certificate : nil
        object = try certificate.map { uri throws(InputError) in try uri.text(type: "cert") }
        key =
            try privateKey.map { uri throws(InputError) in try uri.text(type: "private") }
            ?? certificate?.replacingType(with: "private") ?? ""
        modules = Set([certificate?.module, privateKey?.module].compactMap(\.self)).sorted()
        let pinFiles = Set([files.passphrase, privateKey?.pinFile, certificate?.pinFile].compactMap(\.self))
        guard pinFiles.count <= 1 else {
            throw InputError("two files are named for the token's PIN", remedy: "name one of them")
        }
        pinFile = pinFiles.first
        origin = files.origin
    }

    private static func uri(_ text: String, _ origin: TokenURI.Origin) throws(InputError) -> TokenURI? {
        TokenURI.isMeant(by: text) ? try TokenURI(text, from: origin) : nil
    }

    /// Opens the key.
    ///
    /// - Parameters:
    ///   - reader: opens tokens; nil if this build has nothing that does.
    ///   - ask: asks a person for the PIN, with the question; returns nil without an answer.
    /// - Throws: ``InputError`` naming the file or the URI.
    func read(by reader: (any ClientIdentity.TokenReader)?, asking ask: (String) -> Secret?) throws(InputError)
        -> ClientIdentity
    {
        guard let reader else {
            throw InputError("this build opens no PKCS #11 tokens", remedy: "use one with GnuTLS, or a key in a file")
        }
        let pem = try file.map { path throws(InputError) in try IdentityFiles.certificates(path) }
        let pin = try pinFile.map { path throws(InputError) in try SecretFile.read(path) }
        do throws(ClientIdentity.Problem) {
            return try reader.identity(certificate: pem, object: object, key: key, modules: modules, pin: pin)
        } catch {
            guard error == .needsPassphrase, let typed = ask("PIN for \(key): ") else { throw fault(error) }
            return try opened(by: reader, pem, typed)
        }
    }

    private func opened(
        by reader: any ClientIdentity.TokenReader, _ pem: Secret?, _ pin: Secret
    ) throws(InputError) -> ClientIdentity {
        do throws(ClientIdentity.Problem) {
            return try reader.identity(certificate: pem, object: object, key: key, modules: modules, pin: pin)
        } catch {
            throw fault(error)
        }
    }

    private func fault(_ problem: ClientIdentity.Problem) -> InputError {
        func refuse(_ message: String, _ remedy: String) -> InputError {
            InputError(PrintableText.escape(message), remedy: remedy, source: .file)
        }
        switch problem {
        case .noCertificate(let words):
            return refuse(
                "\(object ?? file ?? key) has no usable client certificate: \(words)",
                object == nil
                    ? "give PEM with the client's certificate first"
                    : "compare the URI with what p11tool lists, or give the certificate as a file")
        case .noKey(let words):
            return refuse(
                "\(key) has no usable private key: \(words)",
                "compare the URI with what p11tool lists, and name the key's own URI if its label differs")
        case .needsPassphrase:
            return refuse(
                "the token of \(key) asks for a PIN",
                "write the PIN to a file of mode 600 and name that as the passphrase, or as pin-source=file:/PATH in the URI"
            )
        case .wrongPassphrase:
            return refuse(
                "the PIN for \(key) is wrong, and is not tried again",
                "\(pinFile.map { "correct the PIN in \($0)" } ?? "give the right one"): tokens lock after a few wrong ones"
            )
        case .lockedPIN:
            return refuse(
                "the PIN for \(key) is locked",
                "unlock it with the token's security officer PIN or PUK, and the program of its maker")
        case .keyOfAnother:
            return refuse(
                "the key \(key) is not that of the first certificate in \(object ?? file ?? "the token")",
                "give the two that belong together")
        case .noModule(let words):
            return refuse(
                words,
                origin == .operatorsOwn
                    ? "name a PKCS #11 module for this machine with module-path=/PATH, in each URI or in none"
                    : "configure a PKCS #11 module for this machine in p11-kit")
        case .noToken(let present):
            let labels = present.map { "'\($0)'" }.joined(separator: ", ")
            return refuse(
                "no PKCS #11 token matches \(key)" + (present.isEmpty ? ": no token was found" : ""),
                present.isEmpty
                    ? "connect it, and configure its module in p11-kit"
                        + (origin == .operatorsOwn ? ", or name that with module-path=/PATH in the URI" : "")
                    : "correct the URI: the tokens here are \(PrintableText.escape(labels))")
        case .noReader(let absence):
            return InputError(
                PrintableText.escape("\(key) can't be opened: \(absence.reason)"), remedy: absence.remedy)
        case .tokenFailed(let words):
            return refuse("the token of \(key) can't be used: \(words)", "check that p11tool can sign with it")
        }
    }
}
