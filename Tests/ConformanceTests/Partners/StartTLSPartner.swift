import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Testing

/// A real server of protocols that start TLS, run with an identity of the lab.
enum StartTLSPartner: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case postfix, dovecot, postgres, mariadb, slapd, prosody, vsftpd

    var testDescription: String { rawValue }

    /// The protocols that it speaks.
    var protocols: [StartTLS] {
        switch self {
        case .postfix: [.smtp]
        case .dovecot: [.imap, .pop3, .lmtp, .sieve]
        case .postgres: [.postgres]
        case .mariadb: [.mysql]
        case .slapd: [.ldap]
        case .prosody: [.xmppClient, .xmppServer]
        case .vsftpd: [.ftp]
        }
    }

    /// Skips the running test case, with the reason, if the server can't be run here.
    func requireInstalled() throws {
        guard program != nil else { try skip("\(rawValue) is not installed") }
        guard geteuid() == 0 || ![.postfix, .dovecot, .vsftpd].contains(self) else {
            try skip("\(rawValue) starts as root alone")
        }
    }

    /// The server's program; nil if it is not here.
    private var program: String? {
        switch self {
        case .postgres:
            // Each version has a folder of its own.
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.sorted().last
                .map { "/usr/lib/postgresql/\($0)/bin/postgres" }
        case .mariadb: PartnerProcess.isInstalled("mariadbd") ? "mariadbd" : nil
        default: PartnerProcess.isInstalled(rawValue) ? rawValue : nil
        }
    }

    /// Serves `identity` on free ports of 127.0.0.1, runs `body` with them, and ends the server.
    func run<Result: Sendable>(
        _ identity: LabIdentity, _ body: @Sendable ([StartTLS: Endpoint]) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        var ports: [StartTLS: UInt16] = [:]
        for known in protocols { ports[known] = try LoopbackPort.free() }
        let setup = try Setup(identity, ports: ports, folder: folder)
        guard let program, let last = protocols.last.flatMap({ ports[$0] }) else { try skip("it is not installed") }
        let script = try script(setup, program)
        let process = PartnerProcess(
            program: "sh", arguments: ["-c", script], port: last, furtherPorts: Array(ports.values))
        let endpoints = ports.mapValues { Endpoint(host: .ip(.loopback4), port: $0) }
        let value = try await process.run { try await body(endpoints) }
        try await folder.waitUntilLeft()
        return withExtendedLifetime(folder) { value }
    }

    /// The files and ports of a run.
    private struct Setup {
        let folder: PartnerFolder
        let chain: String
        let issuers: String
        let key: String
        private let ports: [StartTLS: UInt16]

        init(_ identity: LabIdentity, ports: [StartTLS: UInt16], folder: PartnerFolder) throws {
            self.ports = ports
            self.folder = folder
            chain = try folder.write(identity.chainPEM, to: "chain.pem")
            issuers = try folder.write(identity.issuersPEM, to: "issuers.pem")
            key = try folder.write(identity.keyPEM, to: "key.pem")
        }

        /// The port of a protocol; each of the server's has one.
        func port(_ known: StartTLS) -> String { "\(ports[known] ?? 0)" }
    }

    /// The shell's commands, the last of which becomes the server. Its processes run as other users, who have to reach the
    /// folder.
    private func script(_ setup: Setup, _ program: String) throws -> String {
        let begin = "set -e; chmod 755 \(setup.folder.path); cd \(setup.folder.path); "
        return switch self {
        case .postfix: begin + (try Self.postfix(setup))
        case .dovecot: begin + (try Self.dovecot(setup))
        case .postgres: begin + Self.postgres(setup, program)
        case .mariadb: begin + Self.mariadb(setup)
        case .slapd: begin + (try Self.slapd(setup))
        case .prosody: begin + (try Self.prosody(setup))
        case .vsftpd: begin + (try Self.vsftpd(setup))
        }
    }

    private static func postfix(_ setup: Setup) throws -> String {
        let path = setup.folder.path
        _ = try setup.folder.write(
            """
            compatibility_level = 3.6
            queue_directory = \(path)/queue
            data_directory = \(path)/data
            command_directory = /usr/sbin
            daemon_directory = /usr/lib/postfix/sbin
            inet_interfaces = 127.0.0.1
            inet_protocols = ipv4
            myhostname = good.test
            mynetworks = 127.0.0.0/8
            alias_maps =
            alias_database =
            smtpd_tls_security_level = may
            smtpd_tls_chain_files = \(setup.key), \(setup.chain)
            smtpd_tls_session_cache_database =
            maillog_file = /dev/stdout

            """, to: "main.cf")
        _ = try setup.folder.write(
            """
            127.0.0.1:\(setup.port(.smtp)) inet n - n - - smtpd
            pickup unix n - n 60 1 pickup
            cleanup unix n - n - 0 cleanup
            qmgr unix n - n 300 1 qmgr
            tlsmgr unix - - n 1000? 1 tlsmgr
            rewrite unix - - n - - trivial-rewrite
            proxymap unix - - n - - proxymap
            anvil unix - - n - 1 anvil
            postlog unix-dgram n - n - 1 postlogd

            """, to: "master.cf")
        // Its master leaves the process group that is ended with the others.
        return "mkdir queue data; chown postfix data; trap 'kill $(cat queue/pid/master.pid)' TERM; "
            + "postfix -c \(path) start-fg & wait"
    }

    private static func dovecot(_ setup: Setup) throws -> String {
        let path = setup.folder.path
        func listener(_ service: String, _ name: String, _ known: StartTLS, closing other: String? = nil) -> String {
            """
            service \(service) {
              inet_listener \(name) {
                address = 127.0.0.1
                port = \(setup.port(known))
              }
              \(other.map { "inet_listener \($0) {\n    port = 0\n  }" } ?? "")
            }
            """
        }
        let file = try setup.folder.write(
            """
            base_dir = \(path)/run
            state_dir = \(path)/run
            log_path = /dev/stderr
            protocols = imap pop3 lmtp sieve
            listen = 127.0.0.1
            ssl = yes
            ssl_cert = <\(setup.chain)
            ssl_key = <\(setup.key)
            mail_location = maildir:\(path)/mail
            passdb {
              driver = static
              args = nopassword=y
            }
            userdb {
              driver = static
              args = uid=1000 gid=1000 home=\(path)/mail
            }
            \(listener("imap-login", "imap", .imap, closing: "imaps"))
            \(listener("pop3-login", "pop3", .pop3, closing: "pop3s"))
            \(listener("lmtp", "lmtp", .lmtp))
            \(listener("managesieve-login", "sieve", .sieve))

            """, to: "dovecot.conf")
        return "mkdir run mail; exec dovecot -F -c \(file)"
    }

    /// PostgreSQL does not start as root.
    private static func postgres(_ setup: Setup, _ program: String) -> String {
        let user =
            geteuid() == 0 ? "chown -R postgres .; as='setpriv --reuid postgres --regid postgres --clear-groups'; " : ""
        let start =
            "exec $as \(program) -D data -h 127.0.0.1 -p \(setup.port(.postgres)) -k '' -c fsync=off -c ssl=on "
            + "-c ssl_cert_file=\(setup.chain) -c ssl_key_file=\(setup.key)"
        return "chmod 600 key.pem; \(user)$as \(program.dropLast("postgres".count))initdb -D data -A trust --no-sync; "
            + start
    }

    private static func mariadb(_ setup: Setup) -> String {
        let path = setup.folder.path
        return "mkdir data; exec mariadbd --no-defaults \(geteuid() == 0 ? "--user=root" : "") --datadir=\(path)/data "
            + "--skip-grant-tables --skip-networking=0 --bind-address=127.0.0.1 --port=\(setup.port(.mysql)) "
            + "--socket=\(path)/data/s --innodb=OFF --default-storage-engine=MyISAM "
            + "--ssl-cert=\(setup.chain) --ssl-key=\(setup.key)"
    }

    private static func slapd(_ setup: Setup) throws -> String {
        let file = try setup.folder.write(
            """
            include /etc/ldap/schema/core.schema
            pidfile \(setup.folder.path)/pid
            modulepath /usr/lib/ldap
            moduleload back_mdb
            TLSCertificateFile \(setup.chain)
            TLSCACertificateFile \(setup.issuers)
            TLSCertificateKeyFile \(setup.key)
            database mdb
            suffix dc=test
            directory \(setup.folder.path)/data

            """, to: "slapd.conf")
        return "mkdir data; exec slapd -d 0 -f \(file) -h ldap://127.0.0.1:\(setup.port(.ldap))"
    }

    private static func prosody(_ setup: Setup) throws -> String {
        let path = setup.folder.path
        let file = try setup.folder.write(
            """
            run_as_root = true
            daemonize = false
            data_path = "\(path)/data"
            pidfile = "\(path)/pid"
            modules_enabled = { "tls"; "saslauth"; "dialback" }
            interfaces = { "127.0.0.1" }
            c2s_ports = { \(setup.port(.xmppClient)) }
            s2s_ports = { \(setup.port(.xmppServer)) }
            log = { info = "*console" }
            authentication = "internal_hashed"
            VirtualHost "good.test"
              ssl = { key = "\(setup.key)"; certificate = "\(setup.chain)" }

            """, to: "prosody.cfg.lua")
        return "mkdir data; exec prosody --config \(file) -F"
    }

    private static func vsftpd(_ setup: Setup) throws -> String {
        let file = try setup.folder.write(
            """
            listen=YES
            listen_address=127.0.0.1
            listen_port=\(setup.port(.ftp))
            background=NO
            anonymous_enable=YES
            ssl_enable=YES
            allow_anon_ssl=YES
            rsa_cert_file=\(setup.chain)
            rsa_private_key_file=\(setup.key)
            secure_chroot_dir=\(setup.folder.path)/empty
            seccomp_sandbox=NO

            """, to: "vsftpd.conf")
        return "mkdir empty; exec vsftpd \(file)"
    }
}
