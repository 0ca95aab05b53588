import ArgumentParser
import ProbeBench
import ProbeKit

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
