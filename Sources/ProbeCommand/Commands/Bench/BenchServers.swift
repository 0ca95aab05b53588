import ArgumentParser
import ProbeBench
import ProbeKit
import ProbePlatform
import Subprocess
import SystemPackage

/// Runs the benches' servers in a process of their own.
enum BenchServers {
    /// Starts the servers, runs `body` with their ports, and ends them whatever happens.
    static func run(_ body: (BenchPeer) async throws -> Void) async throws {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        _ = try await Subprocess.run(
            .path(FilePath(Platform.executable)), arguments: Arguments(Backends.current.bench.servers),
            platformOptions: options,
            input: .inputWriter, output: .sequence, error: .currentStandardError
        ) { execution in
            for try await line in execution.standardOutput.strings() {
                try await body(try JSONDecoder().decode(BenchPeer.self, from: Data(line.utf8)))
                break
            }
            try await execution.standardInputWriter.finish()
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
