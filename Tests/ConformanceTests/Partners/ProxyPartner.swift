import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A real proxy, which allows everything on this machine but its port 1, and looks `good.test` up as 127.0.0.1 where it can
/// be configured to.
enum ProxyPartner: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case squid, tinyproxy
    case dante = "danted"

    var testDescription: String { rawValue }

    /// The protocols that it speaks.
    var schemes: [HandshakeRequest.Proxy.Scheme] {
        switch self {
        case .squid, .tinyproxy: [.http]
        case .dante: [.socks5, .socks5h]
        }
    }

    /// The credentials that it asks for; nil asks for none.
    var credentials: String? { self == .dante ? nil : "user:sesame" }

    /// True if it looks the lab's names up.
    var knowsNames: Bool { self == .squid }

    /// Skips the running test case, with the reason, if the proxy can't be run here.
    func requireInstalled() throws {
        try PartnerProcess.requireInstalled(rawValue)
        if self != .tinyproxy, geteuid() != 0 { try skip("\(rawValue) starts as root alone") }
    }

    /// Runs the proxy on a free port of 127.0.0.1, and ends it after `body`.
    func run<Result: Sendable>(
        _ body: @Sendable ([HandshakeRequest.Proxy]) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let program = try script(folder, port)
        let process = PartnerProcess(
            program: "sh", arguments: ["-c", "set -e; chmod 755 \(folder.path); cd \(folder.path); \(program)"],
            port: port)
        let proxies = schemes.map { scheme in
            HandshakeRequest.Proxy(
                scheme, at: Endpoint(host: .ip(.loopback4), port: port),
                credentials: credentials.map { .basic(Secret(copying: Array($0.utf8).span)) })
        }
        let value = try await process.run { try await body(proxies) }
        try await folder.waitUntilLeft()
        return withExtendedLifetime(folder) { value }
    }

    private func script(_ folder: PartnerFolder, _ port: UInt16) throws -> String {
        switch self {
        case .squid:
            let hosts = try folder.write("127.0.0.1 good.test\n", to: "hosts")
            let configuration = try folder.write(
                """
                http_port 127.0.0.1:\(port)
                visible_hostname proxy.test
                hosts_file \(hosts)
                auth_param basic program /usr/lib/squid/basic_ncsa_auth \(folder.path)/users
                auth_param basic children 1
                acl known proxy_auth REQUIRED
                acl closed port 1
                http_access deny closed
                http_access allow known
                http_access deny all
                cache deny all
                cache_log stdio:\(folder.path)/squid.log
                access_log none
                pid_filename none
                netdb_filename none
                pinger_enable off
                shutdown_lifetime 0 seconds
                coredump_dir \(folder.path)

                """, to: "squid.conf")
            return "echo user:$(openssl passwd -apr1 sesame) > users; chmod 644 *; exec squid -N -f \(configuration)"
        case .tinyproxy:
            let configuration = try folder.write(
                "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nBasicAuth user sesame\n",
                to: "tinyproxy.conf")
            return "exec tinyproxy -d -c \(configuration)"
        case .dante:
            let configuration = try folder.write(
                """
                logoutput: stderr
                internal: 127.0.0.1 port = \(port)
                external: 127.0.0.1
                clientmethod: none
                socksmethod: none
                user.privileged: root
                user.unprivileged: nobody
                client pass { from: 127.0.0.1/32 to: 0.0.0.0/0 }
                socks block { from: 0.0.0.0/0 to: 127.0.0.1/32 port = 1 command: connect }
                socks pass { from: 127.0.0.1/32 to: 0.0.0.0/0 command: connect }

                """, to: "danted.conf")
            return "exec danted -f \(configuration)"
        }
    }
}
