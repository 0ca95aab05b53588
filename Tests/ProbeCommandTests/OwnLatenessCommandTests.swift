import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeCommand

/// Every command that waits for servers measures how late this process is itself.
@Suite struct OwnLatenessCommandTests {
    private func run(_ arguments: [String], losing lost: Duration) async throws -> (code: Int32, output: String) {
        let backends = try Backends(
            transports: [FailingTransport(.handshakeTimeout)],
            resolvers: [RecordingResolver(name: "silent", recorder: Recorder())], digesters: [])
        let written = Mutex<[UInt8]>([])
        let code = await Terminal.$gathering.withValue(.init { bytes, _ in written.withLock { $0 += bytes } }) {
            await OwnLateness.$meter.withValue(GivenLateness([lost])) {
                await ProbeCommand.run(arguments, backends: backends)
            }
        }
        return (code, written.withLock { String(decoding: $0, as: UTF8.self) })
    }

    @Test(arguments: [
        ["check", "127.0.0.1:1"], ["compare", "127.0.0.1:1"], ["pins", "127.0.0.1:1"],
        ["scan", "127.0.0.1:1"],
        ["watch", "127.0.0.1:1", "--rounds", "1", "--every", "0.2", "--backoff", "0.1"],
        ["models", "silent.test", "--model", "dc", "--dns-server", "192.0.2.1:53"],
        ["compare", "127.0.0.1:1", "--model", "dc", "--model-host", "silent.test", "--dns-server", "192.0.2.1:53"],
    ])
    func noVerdictAboutTheServer(arguments: [String]) async throws {
        let late = try await run(arguments + ["--timeout", "20"], losing: .seconds(19))
        #expect(late.code == Outcome.localOverload.exitCode, "\(late.output)")
        let calm = try await run(arguments + ["--timeout", "20"], losing: .zero)
        #expect([20, 21].contains(calm.code), "\(calm.output)")
    }

    @Test func compareFindsNoDifferenceInOurLateness() async throws {
        let late = try await run(["compare", "127.0.0.1:1", "--format", "json"], losing: .seconds(9))
        #expect(late.output.contains(#""agree":true"#) && late.output.contains(#""failing":"local-overload""#))
    }
}
