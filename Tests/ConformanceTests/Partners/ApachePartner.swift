import Foundation
import ProbeKit
import ProbeLab

/// Apache's `httpd`, which asks for a client certificate when it has read which place a request is for: over TLS 1.3 after
/// the handshake.
enum ApachePartner {
    static let program = "apache2"
    static var isInstalled: Bool { PartnerProcess.isInstalled(program) }
    private static let modules = "/usr/lib/apache2/modules"

    /// Serves an identity over TLS 1.3 and HTTP/1.1, and runs `body` with the server's address. Each request needs a client
    /// certificate of `root`.
    static func run<Result: Sendable>(
        _ identity: LabIdentity, requiring root: String, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let load = ["mpm_event", "authz_core", "status", "ssl"].map {
            "LoadModule \($0)_module \(modules)/mod_\($0).so"
        }
        let text = """
            ServerRoot \(folder.path)
            DefaultRuntimeDir \(folder.path)
            PidFile \(folder.path)/pid
            ErrorLog /dev/stderr
            ServerName good.test
            User nobody
            Group nogroup
            \(load.joined(separator: "\n"))
            Mutex sem
            SSLSessionCache none
            DocumentRoot /
            Listen 127.0.0.1:\(port)
            SSLEngine on
            SSLProtocol TLSv1.3
            SSLCertificateFile \(try folder.write(identity.chainPEM, to: "chain.pem"))
            SSLCertificateKeyFile \(try folder.write(identity.keyPEM, to: "key.pem"))
            SSLCACertificateFile \(try folder.write(root, to: "root.pem"))
            SSLVerifyDepth 3
            <Location "/">
                SSLVerifyClient require
                SetHandler server-status
            </Location>
            """
        let process = PartnerProcess(
            program: program, arguments: ["-X", "-f", try folder.write(text, to: "apache.conf")], port: port)
        let value = try await process.run { try await body(Endpoint(host: .ip(.loopback4), port: port)) }
        try await folder.waitUntilLeft()
        return withExtendedLifetime(folder) { value }
    }
}
