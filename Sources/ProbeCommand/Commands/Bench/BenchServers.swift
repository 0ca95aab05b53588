import ArgumentParser
import ProbeBench
import ProbeExternal
import ProbeKit
import ProbePlatform
import Subprocess

/// Runs the benches' servers in a process of their own.
enum BenchServers {
    /// Starts the servers, runs `body` with their ports, and ends them whatever happens.
    static func run(_ body: (BenchPeer) async throws -> Void) async throws {
        // The servers end when their input does.
        let (lines, input) = AsyncStream<[UInt8]>.makeStream()
        _ = try await ProgramSession.run(
            .own, Arguments(Backends.current.bench.servers), lines: lines, errors: .currentStandardError
        ) { execution in
            defer { input.finish() }
            for try await line in execution.standardOutput.strings() {
                try await body(try JSONDecoder().decode(BenchPeer.self, from: Data(line.utf8)))
                break
            }
        }
    }
}

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
