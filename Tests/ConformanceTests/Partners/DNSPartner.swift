import ProbeConformance
import ProbeKit

/// A real name server with the zone `models.test`.
enum DNSPartner: String, CaseIterable {
    case nsd
    case knot
    /// Knot, with every reply over UDP truncated.
    case knotWithoutUDP

    var program: String { self == .nsd ? "nsd" : "knotd" }

    static var installed: [DNSPartner] { allCases.filter { PartnerProcess.isInstalled($0.program) } }

    /// Runs the server with the zone and hands over where it listens.
    ///
    /// - Parameter shell: a line for the shell to run before it becomes the server.
    func run<Result: Sendable>(
        after shell: String? = nil, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        try await ScratchFolder.with { folder in
            let port = try LoopbackPort.free()
            try ScratchFolder.write(Self.zone, to: "\(folder)/zone")
            try ScratchFolder.write(configuration(folder, port), to: "\(folder)/conf")
            let arguments = self == .nsd ? ["-d", "-c", "\(folder)/conf"] : ["-c", "\(folder)/conf"]
            let endpoint = try Endpoint("127.0.0.1:\(port)")
            let partner =
                if let shell {
                    PartnerProcess(
                        program: "sh", arguments: ["-c", "\(shell); exec \"$@\"", "sh", program] + arguments, port: port
                    )
                } else {
                    PartnerProcess(program: program, arguments: arguments, port: port)
                }
            return try await partner.run { try await body(endpoint) }
        }
    }

    private func configuration(_ folder: String, _ port: UInt16) -> String {
        guard self == .nsd else { return knotConfiguration(folder, port) }
        return """
            server:
              ip-address: 127.0.0.1@\(port)
              username: ""
              zonesdir: "\(folder)"
              pidfile: ""
              xfrdfile: "\(folder)/xfrd"
              zonelistfile: "\(folder)/list"
              xfrdir: "\(folder)"
              database: ""
              server-count: 1
              rrl-ratelimit: 0
            remote-control:
              control-enable: no
            zone:
              name: models.test
              zonefile: zone
            """
    }

    private func knotConfiguration(_ folder: String, _ port: UInt16) -> String {
        """
        server:
          listen: 127.0.0.1@\(port)
          rundir: \(folder)
          udp-workers: 1
          tcp-workers: 1
          background-workers: 1
        database:
          storage: \(folder)
        template:
          - id: default
            storage: \(folder)
            journal-content: none
            zonefile-sync: -1
            \(self == .knotWithoutUDP ? "global-module: mod-noudp" : "")
        zone:
          - domain: models.test
            file: zone
        """
    }

    /// The zone: lists of several sizes with `florida` last, and every shape of absence.
    static let zone: String = {
        let lists = [600, 1300, 60_000].map { size in
            record("l\(size)", LabModelList.strings(bytes: size) + ["florida"])
        }
        let chain = (1...8).map { "c\($0 - 1) CNAME \($0 == 8 ? "simple" : "c\($0)")" }
        return """
            $ORIGIN models.test.
            $TTL 60
            @ SOA ns hostmaster 1 3600 600 86400 60
            @ NS ns
            ns A 127.0.0.1
            simple TXT "dc,florida,tampa,atlanta"
            chunks TXT "dc," "florida"
            joined TXT "dc,flor" "ida"
            escape TXT "dc,flor\\105da"
            upper TXT "DC,FLORIDA"
            two TXT "dc"
            two TXT "florida"
            empty TXT ""
            address A 127.0.0.1
            alias CNAME simple
            gone CNAME nothing
            loop1 CNAME loop2
            loop2 CNAME loop1
            *.wild TXT "dc,florida"
            sub NS ns.sub
            ns.sub A 127.0.0.1
            \((lists + chain).joined(separator: "\n"))

            """
    }()

    private static func record(_ name: String, _ strings: [String]) -> String {
        "\(name) TXT ( " + strings.map { "\"\($0)\"" }.joined(separator: "\n  ") + " )"
    }
}
