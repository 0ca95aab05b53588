import HTTPTypes
import NIOSSL
public import ProbeKit
import ProbeYAML

/// The access to the server itself, as Prometheus' exporters have it in a file: TLS, client certificates and passwords.
public struct WebConfiguration: Sendable {
    /// The TLS of the server; nil speaks HTTP in the clear.
    let tls: TLSConfiguration?
    /// The bcrypt hash of each user's password; empty asks nobody.
    let users: [String: String]

    /// Neither TLS nor passwords.
    public static let open = WebConfiguration(tls: nil, users: [:])

    /// The largest file that is read, in bytes.
    private static let maximumBytes = 1 << 20

    /// Reads a file.
    ///
    /// - Throws: ``InputError`` naming the file, the line and the key; never a password's hash.
    public static func read(_ path: String) throws(InputError) -> WebConfiguration {
        let text = try InputFile.text(of: path, limit: maximumBytes, kind: "web configuration")
        let node = try YAMLNode(yaml: text, file: path, kind: "web configuration", content: "how it is reached")
        let fields = try node.fields(
            "web configuration", ["tls_server_config", "basic_auth_users", "http_server_config"])
        if let http = fields["http_server_config"] {
            throw http.refuse(
                "can't be changed: the server speaks HTTP/1.1 with headers of its own", remedy: "take the key out")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let reader = WebConfigurationReader(folder: folder)
        return WebConfiguration(
            tls: try fields.optional("tls_server_config") { node throws(InputError) in try reader.tls(node) },
            users: try fields.optional("basic_auth_users") { node throws(InputError) in try reader.users(node) } ?? [:])
    }
}
