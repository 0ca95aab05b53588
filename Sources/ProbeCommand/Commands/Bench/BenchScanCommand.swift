import ArgumentParser
import ProbeBench
import ProbeKit
import ProbePlatform

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
                let folder = URL(filePath: TemporaryFolder.file("probe-bench-\(UUID())"))
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
