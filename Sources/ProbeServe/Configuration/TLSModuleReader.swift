import ProbeKit
import ProbeRun
import ProbeTrust
import ProbeYAML

/// Reads the modules that make a TLS handshake.
struct TLSModuleReader {
    /// The folder from which relative paths start.
    let folder: String
    /// Reads client certificates; nil if this build reads none.
    let readIdentity: ServeConfiguration.IdentityReading?

    private static let versions: [String: TLSVersion] = [
        "TLS10": .tls10, "TLS11": .tls11, "TLS12": .tls12, "TLS13": .tls13,
    ]

    /// Returns an `http` module: the handshake of the URL's server, without a request.
    func http(_ section: ModuleSection?) throws(InputError) -> TLSModule {
        try section?.only("method", "GET", "no request is made")
        try section?.only("fail_if_ssl", "false", "every target is asked for TLS")
        try section?.only("follow_redirects", "false", "no request is made")
        try section?.only("no_follow_redirects", "true", "no request is made")
        _ = try section?.fields["fail_if_not_ssl"]?.flag()
        let http2 = try section?.fields["enable_http2"]?.flag() ?? true
        return try module(section, isHTTP: true, alpn: (http2 ? ["h2"] : []) + ["http/1.1"])
    }

    /// Returns a `tcp` module, which has to ask for TLS.
    func tcp(_ section: ModuleSection) throws(InputError) -> TLSModule {
        if let known = try startTLS(section.fields) {
            var module = try module(section, isHTTP: false, alpn: [])
            module.startTLS = known
            return module
        }
        guard let tls = section.fields["tls"], try tls.flag() else {
            throw (section.fields["tls"] ?? section.fields.node).refuse(
                section.fields["tls"] == nil ? "lacks 'tls: true'" : "is false", remedy: ModuleSection.plainRemedy)
        }
        return try module(section, isHTTP: false, alpn: [])
    }

    /// Returns the protocol that starts TLS; nil if none does.
    private func startTLS(_ fields: YAMLFields) throws(InputError) -> StartTLS? {
        let named = try fields.parsed("starttls") { text throws(InputError) in try StartTLS(text) }
        if let steps = fields["query_response"] {
            guard named == nil else { throw steps.refuse("is given beside 'starttls'", remedy: "give one of them") }
            let known = try StartTLSSteps.read(steps)
            try refuseTLS(fields)
            return known
        }
        if named != nil { try refuseTLS(fields) }
        return named
    }

    private func refuseTLS(_ fields: YAMLFields) throws(InputError) {
        guard let tls = fields["tls"], try tls.flag() else { return }
        throw tls.refuse("is given beside a start of TLS in clear text", remedy: "write 'tls: false', or take it out")
    }

    private func module(_ section: ModuleSection?, isHTTP: Bool, alpn: [String]) throws(InputError) -> TLSModule {
        guard let node = section?.fields["tls_config"] else {
            return TLSModule(
                isHTTP: isHTTP, anchors: try .system(), anchorFile: nil, serverName: nil, minimumTLS: .tls12, alpn: alpn
            )
        }
        let tls = try ModuleSection.tls(node)
        try tls.only(
            "insecure_skip_verify", "false", "a target whose certificate is not judged would always be a success")
        let version = try tls.fields.optional("min_version") { node throws(InputError) in
            let text = try node.text()
            guard let version = Self.versions[text] else {
                throw node.refuse(
                    "is '\(text)'", remedy: "choose \(Self.versions.keys.sorted().joined(separator: ", "))")
            }
            return version
        }
        let (anchors, file) = try anchors(tls.fields)
        var module = TLSModule(
            isHTTP: isHTTP, anchors: anchors, anchorFile: file,
            serverName: try tls.fields.parsed("server_name") { text throws(InputError) in try ServerName(text) },
            minimumTLS: version ?? .tls12, alpn: alpn)
        try addIdentity(tls.fields, to: &module)
        return module
    }

    private func addIdentity(_ fields: YAMLFields, to module: inout TLSModule) throws(InputError) {
        guard let certificate = fields["cert_file"] else {
            guard let key = fields["key_file"] else { return }
            throw key.refuse("is given without 'cert_file'", remedy: "give both")
        }
        let chain = try certificate.text()
        let key = try fields.optional("key_file") { node throws(InputError) in try node.text() }
        // One in a token has its key there.
        guard key != nil || TokenURI.isMeant(by: chain) else {
            throw certificate.refuse("is given without 'key_file'", remedy: "give both")
        }
        guard let readIdentity else {
            throw certificate.refuse(
                "names a client certificate, which this build reads none of", remedy: "use one that does")
        }
        let files = IdentityFiles(certificate: chain, key: key, origin: .operatorsOwn)
        let located = files.located { ModulePath.resolve($0, in: folder) }
        do throws(InputError) {
            module.clientIdentity = try readIdentity(located)
        } catch {
            // An error about a certificate's file begins with its path, as errors show it.
            let isOfCertificate = error.message.hasPrefix(InputError.withoutPasswords(located.certificate) + " ")
            throw (isOfCertificate ? certificate : fields["key_file"] ?? certificate).refuse(error)
        }
        module.identityFiles = files
    }

    private func anchors(_ fields: YAMLFields) throws(InputError) -> (TrustAnchors, file: String?) {
        if let node = fields["ca_file"] {
            guard fields["ca"] == nil else {
                throw node.refuse("is given beside 'ca'", remedy: "give one of them")
            }
            let path = try node.text()
            return (
                try node.parsed { text throws(InputError) in try .file(ModulePath.resolve(text, in: folder)) }, path
            )
        }
        guard let node = fields["ca"] else { return (try .system(), nil) }
        let certificates = try node.parsed { text throws(InputError) in
            try CertificateFile.read(Array(text.utf8), from: "the configuration")
        }
        return (TrustAnchors(name: "the configuration", certificates: certificates), nil)
    }
}
