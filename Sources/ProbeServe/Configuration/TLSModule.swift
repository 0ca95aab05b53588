import ProbeKit
import ProbePins
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// A TLS handshake, and what is asked of its certificates.
struct TLSModule: Sendable {
    /// True if the target is a URL, whose server may choose HTTP/2.
    let isHTTP: Bool
    let anchors: TrustAnchors
    /// The file that they are from; nil for the system's, or those of the configuration itself.
    let anchorFile: String?
    /// The name that certificates have to have, and that is sent; nil is the target's.
    let serverName: ServerName?
    let minimumTLS: TLSVersion
    let alpn: [String]
    /// The protocol that starts TLS; nil speaks it from the first byte.
    var startTLS: StartTLS?
    /// The identity for servers that ask for one.
    var clientIdentity: ClientIdentity?
    /// Its files, as the configuration names them.
    var identityFiles: IdentityFiles?

    /// Returns the target of a text: a URL without its path for HTTP, where `https://` may be missing; else a name and a
    /// port.
    func target(_ text: String) throws(InputError) -> Target {
        if isHTTP {
            let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
            // The scheme of a protocol that starts TLS is a target's, but not one of this module.
            guard scheme == nil || ["https", "wss", "tls"].contains(scheme) else {
                throw InputError(
                    "'\(text)' is not an https:// URL",
                    remedy: "write https://NAME[:PORT]; a tcp module with 'starttls' has other protocols")
            }
            return try Target(text)
        }
        let endpoint = try Endpoint(text)
        return Target(name: endpoint.host, port: endpoint.port, startTLS: startTLS)
    }

    /// Returns the check of a target.
    ///
    /// - Parameter hostname: the scraper's name for it, which counts where the configuration has none.
    func check(_ target: Target, hostname: ServerName?, timeout: Duration) -> Check {
        Check(
            target: Target(
                name: serverName ?? hostname ?? target.name, port: target.port, connect: target.endpoint,
                startTLS: target.startTLS), anchors: anchors, minimumTLS: minimumTLS, alpn: alpn, timeout: timeout,
            clientIdentity: clientIdentity)
    }

    var values: [(String, String)] {
        var values =
            isHTTP
            ? [("enable_http2", "\(alpn.contains("h2"))")]
            : [startTLS.map { ("starttls", $0.rawValue) } ?? ("tls", "true")]
        var tls = [
            "insecure_skip_verify: false", "min_version: \(minimumTLS.rawValue.filter { $0 != " " && $0 != "." })",
        ]
        if let anchorFile {
            tls.append("ca_file: \(JSONText.line(anchorFile))")
        } else if !anchors.isSystem {
            tls.append("ca: \(JSONText.line("sha256:\(anchors.storeDigest.hex)"))")
        }
        if let identityFiles {
            tls.append("cert_file: \(JSONText.line(identityFiles.certificate))")
            if let key = identityFiles.key { tls.append("key_file: \(JSONText.line(key))") }
        }
        if let serverName { tls.append("server_name: \(JSONText.line(serverName.description))") }
        values.append(("tls_config", "{\(tls.joined(separator: ", "))}"))
        return values
    }
}
