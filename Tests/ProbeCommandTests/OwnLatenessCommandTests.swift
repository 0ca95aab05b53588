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

    /// `make demo` is what a slow machine runs first.
    @Test func theLabIsProbedAgainAndBlamesNoServer() async throws {
        let lab = try await Lab.start(at: .now)
        for (lost, outcome, tries) in [
            (.seconds(9), .localOverload, 1 + LabMatrix.retries), (.zero, .stacksDisagree, 1),
        ] as [(Duration, Outcome, Int)] {
            let transport = FailingTransport(.handshakeTimeout)
            var matrix = LabMatrix(lab: lab, transports: [transport], resolvers: [SilentResolver()])
            matrix.pause = { _ in }
            let found = try await Terminal.$gathering.withValue(.init { _, _ in }) {
                try await OwnLateness.$meter.withValue(GivenLateness([lost])) { [matrix] in try await matrix.run() }
            }
            #expect(found == outcome)
            #expect(transport.count.withLock(\.self) == tries * lab.endpoints.count)
        }
        await lab.stop()
    }

    @Test func compareFindsNoDifferenceInOurLateness() async throws {
        let late = try await run(["compare", "127.0.0.1:1", "--format", "json"], losing: .seconds(9))
        #expect(late.output.contains(#""agree":true"#) && late.output.contains(#""failing":"local-overload""#))
    }
}

/// Answers nothing.
private struct SilentResolver: Resolver {
    let identity = BackendIdentity(name: "silent", library: "none", version: "1")
    let capabilities = RecordingResolver(name: "silent", recorder: Recorder()).capabilities

    func resolve(_ query: DNSQuery) async -> DNSReport {
        DNSReport(attempts: [
            DNSAttempt(
                server: "silent", channel: .udp, ednsSize: nil, id: 7, reply: nil, native: nil, dnssec: nil,
                failure: DNSFailure(.timeout, "it is silent"), duration: .zero)
        ])
    }
}
