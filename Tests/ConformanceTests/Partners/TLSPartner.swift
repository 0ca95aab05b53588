import Foundation
import ProbeKit
import ProbeLab

/// A TLS server from the system, run with an identity of the lab. Each answers HTTP after the handshake.
enum TLSPartner: String, CaseIterable, Sendable {
    /// `openssl s_server`.
    case openssl
    /// `gnutls-serv`. It has no option for an address, so it listens on all of them while it runs.
    case gnutls
    case nginx
    case haproxy

    /// The program's name.
    var program: String {
        switch self {
        case .openssl, .nginx, .haproxy: rawValue
        case .gnutls: "gnutls-serv"
        }
    }

    /// True if the program can be run here; for `.enabled(if:)`.
    var isInstalled: Bool { PartnerProcess.isInstalled(program) }

    /// Skips the running test case if the program can't be run here.
    func requireInstalled() throws { try PartnerProcess.requireInstalled(program) }

    /// The identities it rejects or does not present unchanged.
    ///
    /// `gnutls-serv` orders a chain, drops unrelated certificates, stops at 16 certificates, offers no RSA suite for a
    /// leaf whose key usage allows none, and reads no compressed points. HAProxy reads its certificates at the system's
    /// security level, before it reads the configured one, and does not start with a weak one, nor with a key it can't
    /// read.
    var alters: Set<LabIdentityName> {
        switch self {
        case .openssl, .nginx: []
        case .haproxy: [.rsa1024, .weakIntermediate, .sha1Signature, .unreadableExtra]
        case .gnutls:
            [
                .shuffled, .extraCertificates, .crossSigned, .crossSignedFirst, .twinIssuers, .markedTwinFirst, .huge,
                .authorityAsLeaf, .noServerUsage,
                .compressedPoint, .unreadableExtra,
            ]
        }
    }

    /// Serves `identity` on a free port of 127.0.0.1, runs `body` with it, and ends the server.
    ///
    /// Its security level is low enough for every certificate of the lab: the client has to detect weak ones.
    ///
    /// - Parameters:
    ///   - identity: the identity to present; see ``alters``.
    ///   - versions: the versions of TLS to support.
    ///   - ciphers: the suites of TLS 1.2, with `openssl` only, in its spelling.
    ///   - staple: the OCSP response to send, with `openssl` only.
    ///   - nginxOptions: further directives of the server, with `nginx` only.
    ///   - body: gets the server's address.
    /// - Throws: ``PartnerProcess/StartError``; any error of `body`.
    func run<Result: Sendable>(
        _ identity: LabIdentity, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        ciphers: String = "ALL", staple: [UInt8]? = nil, nginxOptions: String = "",
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let arguments =
            switch self {
            case .openssl:
                try Self.opensslServer(identity, versions, ciphers, staple).arguments(at: port, in: folder)
            case .gnutls: Self.gnutlsArguments(chain, key, port, versions)
            case .nginx: try Self.nginxArguments(chain, key, port, versions, nginxOptions, folder)
            case .haproxy: try Self.haproxyArguments(identity, port, versions, folder)
            }
        let process = PartnerProcess(program: program, arguments: arguments, port: port)
        let value = try await process.run { try await body(Endpoint(host: .ip(.loopback4), port: port)) }
        try await folder.waitUntilLeft()
        // The server reads its files only at the start, but nginx writes into the folder until its end.
        return withExtendedLifetime(folder) { value }
    }

    private static func opensslServer(
        _ identity: LabIdentity, _ versions: ClosedRange<TLSVersion>, _ ciphers: String, _ staple: [UInt8]?
    ) -> OpenSSLServer {
        OpenSSLServer(
            presented: .chain(of: identity), staple: staple,
            further: [
                "-cipher", "\(ciphers):@SECLEVEL=0", "-min_protocol", opensslName(versions.lowerBound),
                "-max_protocol", opensslName(versions.upperBound),
            ])
    }

    private static func gnutlsArguments(
        _ chain: String, _ key: String, _ port: UInt16, _ versions: ClosedRange<TLSVersion>
    ) -> [String] {
        let wanted = TLSVersion.allCases.filter(versions.contains).map { "+VERS-TLS\($0.number)" }
        return [
            "--quiet", "--http", "--disable-client-cert", "--port", String(port), "--x509certfile", chain,
            "--x509keyfile", key, "--priority", (["LEGACY", "-VERS-ALL"] + wanted).joined(separator: ":"),
        ]
    }

    private static func nginxArguments(
        _ chain: String, _ key: String, _ port: UInt16, _ versions: ClosedRange<TLSVersion>, _ options: String,
        _ folder: PartnerFolder
    ) throws -> [String] {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        let protocols = TLSVersion.allCases.filter(versions.contains).map(opensslName).joined(separator: " ")
        let text = """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log stderr;
            events {}
            http {
                access_log off;
                \(scratch.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(chain);
                    ssl_certificate_key \(key);
                    ssl_protocols \(protocols);
                    ssl_ciphers ALL:@SECLEVEL=0;
                    \(options)
                    return 204;
                }
            }
            """
        return ["-e", "stderr", "-p", folder.path, "-c", try folder.write(text, to: "nginx.conf")]
    }

    private static func haproxyArguments(
        _ identity: LabIdentity, _ port: UInt16, _ versions: ClosedRange<TLSVersion>, _ folder: PartnerFolder
    ) throws -> [String] {
        let pem = try folder.write(identity.chainPEM + identity.keyPEM, to: "haproxy.pem")
        let minimum = opensslName(versions.lowerBound)
        let maximum = opensslName(versions.upperBound)
        let text = """
            global
                ssl-default-bind-ciphers ALL:@SECLEVEL=0
                ssl-default-bind-curves X25519:P-256:P-384:P-521
                tune.ssl.default-dh-param 2048
            defaults
                mode http
                timeout client 10s
                timeout server 10s
                timeout connect 10s
            # Else it would take the system's name servers, though it has nothing to ask.
            resolvers default
            frontend probe
                bind 127.0.0.1:\(port) ssl crt \(pem) ssl-min-ver \(minimum) ssl-max-ver \(maximum) alpn h2,http/1.1
                http-request return status 204

            """
        return ["-db", "-f", try folder.write(text, to: "haproxy.cfg")]
    }

    private static func opensslName(_ version: TLSVersion) -> String {
        version == .tls10 ? "TLSv1" : "TLSv\(version.number)"
    }
}
