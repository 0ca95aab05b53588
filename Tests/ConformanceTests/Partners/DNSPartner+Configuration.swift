import ProbeKit
import ProbeLab

extension DNSPartner {
    /// The site of a server: its files, its port on 127.0.0.1, and its upstream.
    struct Site: Sendable {
        let folder: String
        let port: UInt16
        let upstream: Endpoint?
        let anchors: [DNSAnchor]
        let https: HTTPS?
        /// Another place to answer at.
        var beside: Endpoint?
        /// The name of NSD's zone.
        var origin = "models.test"

        /// The port and certificate of a server over HTTPS, or TLS.
        struct HTTPS: Sendable {
            let port: UInt16
            let identity: LabIdentity
        }

        var configurationFile: String { "\(folder)/conf" }
        var chainFile: String { "\(folder)/chain.pem" }
        var keyFile: String { "\(folder)/key.pem" }
    }

    /// Runs in the foreground; the configuration comes last.
    func arguments(_ site: Site) -> [String] {
        let file = site.configurationFile
        return switch self {
        case .nsd, .unbound: ["-d", "-c", file]
        case .knot, .knotWithoutUDP: ["-c", file]
        case .bind: ["-g", "-n", "1", "-c", file]
        case .dnsdist: ["--supervised", "--disable-syslog", "-C", file]
        case .powerdns:
            // It would ask the vendor's name servers for security notices.
            [
                "--no-config", "--daemon=no", "--guardian=no", "--write-pid=no", "--disable-syslog",
                "--security-poll-suffix=", "--local-address=127.0.0.1", "--local-port=\(site.port)",
                "--socket-dir=\(site.folder)", "--launch=bind", "--bind-config=\(file)",
            ]
        }
    }

    /// Returns the configuration file.
    func configuration(_ site: Site) -> String {
        switch self {
        case .nsd: nsdConfiguration(site)
        case .knot, .knotWithoutUDP: knotConfiguration(site)
        case .bind: bindConfiguration(site)
        case .powerdns: zoneStatement(site)
        case .unbound: unboundConfiguration(site)
        case .dnsdist: dnsdistConfiguration(site)
        }
    }

    private func nsdConfiguration(_ site: Site) -> String {
        """
        server:
          ip-address: 127.0.0.1@\(site.port)
          \(site.https.map { "ip-address: 127.0.0.1@\($0.port)" } ?? "")
          \(site.https.map { "tls-port: \($0.port)" } ?? "")
          \(site.https == nil ? "" : "tls-service-key: \"\(site.keyFile)\"")
          \(site.https == nil ? "" : "tls-service-pem: \"\(site.chainFile)\"")
          username: ""
          zonesdir: "\(site.folder)"
          pidfile: ""
          xfrdfile: "\(site.folder)/xfrd"
          zonelistfile: "\(site.folder)/list"
          xfrdir: "\(site.folder)"
          database: ""
          server-count: 1
          rrl-ratelimit: 0
        remote-control:
          control-enable: no
        zone:
          name: \(site.origin)
          zonefile: zone
        """
    }

    private func knotConfiguration(_ site: Site) -> String {
        """
        server:
          listen: 127.0.0.1@\(site.port)
          \(site.beside.map { "listen: \($0.host)@\($0.port)" } ?? "")
          rundir: \(site.folder)
          udp-workers: 1
          tcp-workers: 1
          background-workers: 1
        database:
          storage: \(site.folder)
        template:
          - id: default
            storage: \(site.folder)
            journal-content: none
            zonefile-sync: -1
            \(self == .knotWithoutUDP ? "global-module: mod-noudp" : "")
        zone:
          - domain: models.test
            file: zone
        """
    }

    private func bindConfiguration(_ site: Site) -> String {
        """
        \(site.https == nil ? "" : "tls it { cert-file \"\(site.chainFile)\"; key-file \"\(site.keyFile)\"; };")
        \(site.https == nil ? "" : "http it { endpoints { \"/dns-query\"; }; };")
        options {
          directory "\(site.folder)";
          pid-file none;
          lock-file none;
          session-keyfile none;
          listen-on port \(site.port) { 127.0.0.1; };
          \(site.https.map { "listen-on port \($0.port) tls it http it { 127.0.0.1; };" } ?? "")
          listen-on-v6 { none; };
          recursion no;
          dnssec-validation no;
          empty-zones-enable no;
          notify no;
          allow-transfer { none; };
        };
        controls {};
        \(zoneStatement(site))
        """
    }

    /// BIND's, which PowerDNS reads too.
    private func zoneStatement(_ site: Site) -> String {
        """
        zone "models.test" { type master; file "\(site.folder)/zone"; };
        """
    }

    /// Every question that could leave for the root is refused or goes to the upstream too.
    private func unboundConfiguration(_ site: Site) -> String {
        let upstream = site.upstream.map { "\($0.host)@\($0.port)" } ?? ""
        return """
            server:
              interface: 127.0.0.1@\(site.port)
              username: ""
              chroot: ""
              directory: "\(site.folder)"
              pidfile: ""
              use-syslog: no
              num-threads: 1
              do-ip6: no
              do-not-query-localhost: no
              do-not-query-address: 127.0.0.9
              module-config: "\(site.anchors.isEmpty ? "" : "validator ")iterator"
              trust-anchor-signaling: no
              ede: yes
              serve-expired: yes
              ede-serve-expired: yes
              local-zone: "." refuse
              local-zone: "models.test." transparent
              \(site.anchors.map { "trust-anchor: \"\($0)\"" }.joined(separator: "\n  "))
            remote-control:
              control-enable: no
            stub-zone:
              name: "models.test"
              stub-addr: \(upstream)
            forward-zone:
              name: "."
              forward-addr: \(upstream)
            """
    }

    private func dnsdistConfiguration(_ site: Site) -> String {
        """
        setSecurityPollSuffix("")
        setLocal("127.0.0.1:\(site.port)")
        setACL({"127.0.0.1/32"})
        \(site.https.map {
            "addDOHLocal(\"127.0.0.1:\($0.port)\", \"\(site.chainFile)\", \"\(site.keyFile)\", \"/dns-query\")"
        } ?? "")
        setAddEDNSToSelfGeneratedResponses(false)
        newServer({address="\(site.upstream.map(\.description) ?? "")"}):setUp()
        function on(label) return makeRule(label .. ".wild.models.test.") end
        addAction(on("drop"), DropAction())
        addAction(on("servfail"), RCodeAction(DNSRCode.SERVFAIL))
        addAction(on("refused"), RCodeAction(DNSRCode.REFUSED))
        addAction(AndRule({on("truncated"), TCPRule(false)}), TCAction())
        addAction(AndRule({on("cut"), TCPRule(false)}), TCAction())
        addAction(on("cut"), DropAction())
        addAction(AndRule({on("old"), RecordsTypeCountRule(DNSSection.Additional, DNSQType.OPT, 1, 1)}),
          RCodeAction(DNSRCode.FORMERR))
        addAction(on("late"), DelayAction(300))
        """
    }
}
