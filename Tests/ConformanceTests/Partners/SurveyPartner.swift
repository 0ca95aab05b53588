import Foundation
import ProbeKit
import ProbeLab
import Testing

/// A real server with settings that a survey has to find.
struct SurveyPartner: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let partner: TLSPartner
    var identity: LabIdentityName = .rsa2048
    /// Further arguments of `openssl s_server`, the priority of `gnutls-serv`, or nginx's directives.
    let settings: [String]
    /// The groups that sslscan misses, because it always asks without the key's own curve beside them.
    var beyond: Set<String> = []

    static let all: [SurveyPartner] = [
        openssl("all", ["-cipher", "ALL:@SECLEVEL=0"]),
        openssl("defaults", []),
        openssl("defaults from TLS 1.0", ["-cipher", "DEFAULT:@SECLEVEL=0", "-min_protocol", "TLSv1"]),
        openssl("its own order", ["-cipher", "ECDHE:@SECLEVEL=0", "-serverpref"]),
        openssl("TLS 1.3 alone", ["-tls1_3"]),
        openssl("TLS 1.2 alone", ["-tls1_2", "-cipher", "ECDHE+AESGCM"]),
        openssl("TLS 1.1 alone", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]),
        openssl("TLS 1.0 alone", ["-tls1", "-cipher", "ALL:@SECLEVEL=0"]),
        openssl("one suite of TLS 1.3", ["-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256"]),
        openssl("RSA key exchange", ["-tls1_2", "-cipher", "kRSA:@SECLEVEL=0"]),
        openssl("without encryption", ["-tls1_2", "-cipher", "NULL:@SECLEVEL=0"]),
        openssl("two groups", ["-cipher", "ECDHE", "-curves", "X448:P-521"]),
        openssl("two signature algorithms", ["-cipher", "ECDHE", "-sigalgs", "RSA-PSS+SHA384:RSA+SHA512"]),
        openssl("without tickets", ["-cipher", "ECDHE", "-no_ticket", "-num_tickets", "0"]),
        openssl("an elliptic key", ["-cipher", "ECDHE"], key: .good, beyond: ["x25519"]),
        openssl("an Ed25519 key", ["-cipher", "ECDHE"], key: .ed25519),
        gnutls("normal", "NORMAL"),
        gnutls("RC4 and 3DES", "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.0:-CIPHER-ALL:+ARCFOUR-128:+3DES-CBC"),
        gnutls("secure", "SECURE256:%SERVER_PRECEDENCE"),
        nginx("defaults", []),
        nginx("its own order", ["ssl_prefer_server_ciphers on;", "ssl_ecdh_curve secp384r1:X25519;"]),
        nginx("without tickets", ["ssl_session_tickets off;"]),
    ]

    private static func openssl(
        _ name: String, _ settings: [String], key identity: LabIdentityName = .rsa2048, beyond: Set<String> = []
    ) -> SurveyPartner {
        SurveyPartner(
            testDescription: "openssl, \(name)", partner: .openssl, identity: identity, settings: settings,
            beyond: beyond)
    }

    private static func gnutls(_ name: String, _ priority: String) -> SurveyPartner {
        SurveyPartner(testDescription: "gnutls-serv, \(name)", partner: .gnutls, settings: [priority])
    }

    private static func nginx(_ name: String, _ settings: [String]) -> SurveyPartner {
        SurveyPartner(testDescription: "nginx, \(name)", partner: .nginx, settings: settings)
    }

    /// Runs the server for the length of a closure, which gets its address.
    func run<Result: Sendable>(
        _ pki: LabPKI, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let identity = try pki.identity(identity)
        guard partner != .nginx else {
            return try await partner.run(
                identity, versions: .tls12 ... .tls13, nginxOptions: settings.joined(separator: "\n"), body)
        }
        guard partner != .openssl else {
            return try await OpenSSLServer(presented: .leaf(of: identity), further: settings).run(body)
        }
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let arguments = [
            "--quiet", "--http", "--disable-client-cert", "--port", "\(port)", "--x509certfile", chain,
            "--x509keyfile", key, "--priority", settings[0],
        ]
        let process = PartnerProcess(program: partner.program, arguments: arguments, port: port)
        let value = try await process.run { try await body(Endpoint(host: .ip(.loopback4), port: port)) }
        return withExtendedLifetime(folder) { value }
    }
}
