import ProbePlatform
import ProbeTestSupport
import Subprocess
import Synchronization

/// A real server, run for the length of a closure in a session of its own, so that its children end with it.
struct PartnerProcess: Sendable {
    /// The reason why a partner did not start, with its output.
    struct StartError: Error, CustomStringConvertible {
        let description: String
    }

    /// The program's name, looked up in `PATH` and in the directories for system programs.
    let program: String
    let arguments: [String]
    /// The TCP port on 127.0.0.1 that answers once the server is ready.
    let port: UInt16
    /// Its other ports, which a server may open later.
    var furtherPorts: [UInt16] = []

    /// The time limit for a server to answer, and to exit.
    private static let patience: Duration = .seconds(1500)
    private static let searchPath = (environment("PATH").map { $0 + ":" } ?? "") + "/usr/sbin:/sbin:/usr/bin:/bin"

    /// Returns true if the program can be run here; for `.enabled(if:)`.
    static func isInstalled(_ program: String) -> Bool {
        searchPath.split(separator: ":").contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }

    /// Skips the running test case, with the reason, if the program can't be run here.
    static func requireInstalled(_ program: String) throws {
        if !isInstalled(program) { try skip("\(program) is not installed") }
    }

    /// Starts the program, waits until its port answers, runs `body`, and ends the whole process group.
    ///
    /// - Throws: ``StartError`` if the port does not answer in time or the program ends before; any error of `body`.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(1))]
        let outcome = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments),
            environment: .inherit.updating(["PATH": Self.searchPath]), platformOptions: options,
            input: .none, output: .sequence, error: .combinedWithOutput
        ) { execution in
            let log = PartnerLog()
            let output = execution.standardOutput
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await buffer in output { log.append(unsafe buffer.withUnsafeBytes { unsafe Array($0) }) }
                    log.close()
                }
                let result: Swift.Result<Result, any Error>
                do {
                    try await waitUntilReady(log)
                    result = .success(try await body())
                } catch {
                    result = .failure(error)
                }
                // The leader is not reaped before this closure returns, so the group's number is still its own.
                try? execution.send(signal: .terminate, toProcessGroup: true)
                await log.waitUntilClosed(within: .seconds(10))
                try? execution.send(signal: .kill, toProcessGroup: true)
                group.cancelAll()
                return try result.get()
            }
        }
        return outcome.closureResult
    }

    private func waitUntilReady(_ log: PartnerLog) async throws {
        let end = ContinuousClock.now + Self.patience
        while !([port] + furtherPorts).allSatisfy(LoopbackPort.answers) {
            guard !log.isClosed else { throw StartError(description: "\(program) ended: \(log.text)") }
            guard .now < end else {
                throw StartError(description: "\(program) does not answer on \(port): \(log.text)")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func environment(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}

/// A partner's output, the first 64 KiB of it, and whether all its processes have closed theirs.
private final class PartnerLog: Sendable {
    private let state = Mutex((bytes: [UInt8](), closed: false))

    var text: String { String(decoding: state.withLock(\.bytes), as: UTF8.self) }
    var isClosed: Bool { state.withLock(\.closed) }

    func append(_ bytes: [UInt8]) {
        state.withLock { state in
            state.bytes += bytes.prefix(65_536 - state.bytes.count)
        }
    }

    func close() {
        state.withLock { $0.closed = true }
    }

    func waitUntilClosed(within duration: Duration) async {
        let end = ContinuousClock.now + duration
        while !isClosed, .now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
