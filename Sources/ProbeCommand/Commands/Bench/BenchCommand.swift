import ArgumentParser
import ProbeBench
import ProbeKit
import ProbePlatform

/// `probe bench`: costs on this machine, each beside its lower bound, measured in one run.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure on this machine, each figure beside its floor in the same run.",
        discussion: """
            A floor is what the library itself costs from C. Figures are medians of many short rounds in which both \
            sides take turns; only the ratio means something on a machine that others use too.
            """,
        subcommands: [
            BenchAllCommand.self, BenchHashCommand.self, BenchHandshakeCommand.self, BenchDNSCommand.self,
            BenchScanCommand.self, BenchChainsCommand.self, BenchServeCommand.self,
        ],
        defaultSubcommand: BenchAllCommand.self)
}

/// `probe bench` without more: the hash path and the handshake.
struct BenchAllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all", abstract: "The hash path and the handshake, one after the other.")

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        try await BenchHashCommand.run(options)
        try await BenchHandshakeCommand.run(options, backend: .all)
    }
}

/// `probe bench chains`: the longest that a hostile chain keeps the reference verifier busy.
struct BenchChainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chains",
        abstract: "The reference verifier's processor time for generated hostile chains, the worst of each family.",
        discussion: """
            chains          the verdict on a chain: at most 100 ms in a release build
            chain-details   reading what its certificates say of themselves, for the report

            --rounds is how many chains of each family are made; their shapes depend on the family and a number alone.

            EXAMPLES
              probe bench chains
              probe bench chains --rounds 10 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        try await options.print(rounds: 100) { rounds, report in
            try await ChainBench(rounds: rounds).run(report)
        }
    }
}

/// `probe bench dns`: the cost of an allow-list beside two datagrams.
struct BenchDNSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dns",
        abstract: "An allow-list's processor time, against a bare socket that asks the same question.",
        discussion: """
            The server is another process on loopback, the same for both sides. The floor sends one datagram and \
            receives one, and reads nothing in it: what a resolver costs beyond is its own.

            EXAMPLES
              probe bench dns
              probe bench dns --rounds 11 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        let resolvers = try Backends.current.resolvers(named: .all)
        try await options.print(rounds: 31) { rounds, report in
            try await BenchServers.run { peer in
                try await DNSBench(resolvers: resolvers, peer: peer, rounds: rounds).run(report)
            }
        }
    }
}

/// `probe bench handshake`: the cost of a probe beside a bare client.
struct BenchHandshakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "handshake",
        abstract: "A probe's processor time, against a bare client of the same library from C.",
        discussion: """
            facts   connect, handshake, the stack's own trust decision, the report
            probe   the same with the reference's decision, a pin and the verdict

            The floor connects, does the handshake with the library's own verification, and closes. The server is \
            another process on loopback, the same for both sides.

            EXAMPLES
              probe bench handshake
              probe bench handshake --backend gnutls
              probe bench handshake --rounds 11 --format json
            """)

    @Option(
        help: ArgumentHelp("TLS backend; repeat it, separate names by commas, or say all.", valueName: "name"),
        completion: .transports)
    var backend: [String] = ["all"]

    @OptionGroup var options: BenchOptions

    mutating func run() async throws { try await Self.run(options, backend: BackendChoice(backend)) }

    static func run(_ options: BenchOptions, backend: BackendChoice) async throws {
        let backends = Backends.current.withoutPrograms
        guard !backends.bench.handshakes.isEmpty else {
            throw InputError("this build has no library to measure against", remedy: "use one that has")
        }
        let transports = try backends.transports(named: backend)
        let measured = backends.bench.handshakes.map { $0.transport }
        // Of "all", those that can be measured are meant.
        let asked = transports.map(\.name).contains(where: measured.contains) ? backend.names : transports.map(\.name)
        let others = asked.filter { !measured.contains($0) }
        guard others.isEmpty else {
            throw InputError(
                "\(others.joined(separator: ", ")) can't be measured: its library has no bare client here",
                remedy: "choose \(measured.joined(separator: " or "))")
        }
        try await options.print(rounds: 31) { rounds, report in
            try await BenchServers.run { peer in
                try await HandshakeBench(
                    transports: transports, floors: backends.bench.handshakes, peer: peer, rounds: rounds
                ).run(report)
            }
        }
    }
}

/// `probe bench hash`: the hash path against the hash.
struct BenchHashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "The way from a certificate to whether it is pinned, against the bare digest of its key.",
        discussion: """
            hash         one certificate; the floor is the same digest of its key, from C
            parser       the same through the stack's parser; the floor is our path
            membership   in 100000 pins; the floor is the same question to 2 pins
            batch        one of 1024 at once; the floor is the best library's digest

            Of membership, absent and present are the lookup alone, for digests that are all different; certificate is the \
            whole answer.

            probe-bench hash (from `make bench`) also counts heap allocations:

            hash-allocations     for one certificate
            parser-allocations   the same through the stack's certificate parser
            batch-allocations    for all 1024 at once
            allocation-counter   shows that the counter counts: as many as were made

            EXAMPLES
              probe bench hash
              probe bench hash --rounds 1001 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws { try await Self.run(options) }

    static func run(_ options: BenchOptions) async throws {
        let kit = Backends.current.bench
        guard !kit.floors.isEmpty else {
            throw InputError("this build has no library to measure against", remedy: "use one that has")
        }
        let floors = kit.floors.filter { $0.digester.absence == nil }
        try await options.print { rounds, report in
            try HashBench(floors: floors, allocations: kit.allocations, rounds: rounds).run(report)
        }
    }
}

/// `probe bench scan`: the overhead of a scan.
struct BenchScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "A scan's processor time for each target, against the same probes one after the other.",
        discussion: """
            The scan reads a list, probes many targets at a time, and writes a line for each to a file. The floor probes the \
            same server with the same demands and writes nothing. The server is another process on loopback.

            EXAMPLES
              probe bench scan
              probe bench scan --rounds 11 --format json
            """)

    @OptionGroup var options: BenchOptions

    mutating func run() async throws {
        let transports = try Backends.current.transports(named: .all)
        try await options.print(rounds: 11) { rounds, report in
            try await BenchServers.run { peer in
                let folder = FileManager.default.temporaryDirectory.appending(path: "probe-bench-\(UUID())")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                try peer.anchor.write(to: folder.appending(path: "ca.der"))
                for transport in transports {
                    try await ScanBench(transport: transport, peer: peer, rounds: rounds).run(report) {
                        try await Self.scan(peer, through: transport, in: folder)
                    }
                }
            }
        }
    }

    /// Scans as the command does, into a file.
    private static func scan(_ peer: BenchPeer, through transport: any Transport, in folder: URL) async throws {
        let results = folder.appending(path: "results.jsonl")
        try? FileManager.default.removeItem(at: results)
        let targets = [String](repeating: peer.target, count: ScanBench.targets)
        var command = try ScanCommand.parse(
            [
                "--backend", transport.name, "--ca", folder.appending(path: "ca.der").path, "--pin",
                peer.pinText, "--resume", results.path,
            ] + targets)
        try await command.run()
    }
}
