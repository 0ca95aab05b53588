import NIOSSL
import ProbeKit
import ProbeYAML

/// Reads the parts of a web configuration.
struct WebConfigurationReader {
    /// The folder in which relative paths start.
    let folder: String

    private static let versions: [String: NIOSSL.TLSVersion] = ["TLS12": .tlsv12, "TLS13": .tlsv13]

    /// Returns the users' hashes, which have to be bcrypt's.
    func users(_ node: YAMLNode) throws(InputError) -> [String: String] {
        var users: [String: String] = [:]
        for (name, value) in try node.named() {
            let hash = try value.text()
            guard hash.wholeMatch(of: #/\$2[aby]\$(?:0[4-9]|1[0-9])\$[.\/A-Za-z0-9]{53}/#) != nil else {
                throw value.refuse(
                    "is not a bcrypt hash with a cost up to 19", remedy: "make one with 'htpasswd -nBC 10 \"\"'")
            }
            users[name] = hash
        }
        return users
    }

    /// Returns the TLS of the server, whose files are read now.
    func tls(_ node: YAMLNode) throws(InputError) -> TLSConfiguration {
        let notDone = ["client_allowed_sans", "cipher_suites", "curve_preferences", "prefer_server_cipher_suites"]
        let fields = try node.fields(
            "tls_server_config",
            ["cert_file", "key_file", "client_auth_type", "client_ca_file", "min_version", "max_version"] + notDone)
        for key in notDone {
            guard let value = fields[key] else { continue }
            throw value.refuse("can't be chosen here", remedy: "take the key out: the library's choice is safe")
        }
        let (oldest, newest) = (try version(fields["min_version"]) ?? .tlsv12, try version(fields["max_version"]))
        if let maximum = fields["max_version"], oldest == .tlsv13, newest == .tlsv12 {
            throw maximum.refuse("is older than 'min_version'", remedy: "give one that is not, or take it out")
        }
        let certificates = try file(try fields.required("cert_file"), NIOSSLCertificate.fromPEMFile)
        let key = try file(try fields.required("key_file")) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        (tls.minimumTLSVersion, tls.maximumTLSVersion) = (oldest, newest)
        tls.applicationProtocols = ["http/1.1"]
        try addClients(fields, to: &tls)
        do {
            _ = try NIOSSLContext(configuration: tls)
        } catch {
            throw node.refuse("can't be used: \(error)", remedy: "give a certificate and the key that belongs to it")
        }
        return tls
    }

    private func addClients(_ fields: YAMLFields, to tls: inout TLSConfiguration) throws(InputError) {
        let mode = fields["client_auth_type"]
        switch try mode?.text() ?? "NoClientCert" {
        case "NoClientCert":
            if let file = fields["client_ca_file"] {
                throw file.refuse(
                    "is of no use while no client certificate is asked for",
                    remedy: "add 'client_auth_type: RequireAndVerifyClientCert'")
            }
        case "RequireAndVerifyClientCert":
            guard let file = fields["client_ca_file"] else {
                throw fields.node.refuse("lacks 'client_ca_file'", remedy: "name the CA of the clients")
            }
            tls.trustRoots = .certificates(try self.file(file, NIOSSLCertificate.fromPEMFile))
            tls.certificateVerification = .noHostnameVerification
        case let text:
            throw (mode ?? fields.node).refuse(
                "is '\(text)', which lets clients in without a certificate that was verified",
                remedy: "choose NoClientCert or RequireAndVerifyClientCert")
        }
    }

    private func version(_ node: YAMLNode?) throws(InputError) -> NIOSSL.TLSVersion? {
        guard let node else { return nil }
        let text = try node.text()
        guard let version = Self.versions[text] else {
            throw node.refuse("is '\(text)', which is not served", remedy: "choose TLS12 or TLS13")
        }
        return version
    }

    private func file<Value>(_ node: YAMLNode, _ read: (String) throws -> Value) throws(InputError) -> Value {
        let path = ModulePath.resolve(try node.text(), in: folder)
        do {
            return try read(path)
        } catch {
            throw node.refuse("is \(path), which can't be read: \(error)", remedy: "name a PEM file that you may read")
        }
    }
}
