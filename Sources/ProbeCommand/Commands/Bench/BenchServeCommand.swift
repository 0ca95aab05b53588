import ArgumentParser
import FoundationEssentials
import ProbeBench
import ProbeKit

/// `probe bench serve`: the servers of the benches, in a process of their own that ends when its input does.
struct BenchServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the benchmark servers.", shouldDisplay: false)

    mutating func run() async throws {
        try await BenchPeer.serve(at: .now) { peer in
            Terminal.print(JSONText.line(peer))
            // The servers have threads of their own.
            while readLine() != nil {}
        }
    }
}
