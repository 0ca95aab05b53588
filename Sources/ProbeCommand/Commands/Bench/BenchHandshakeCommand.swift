import ArgumentParser
import ProbeBench
import ProbeKit

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
