import ProbeKit
import ProbeRun
import ProbeScan
import ProbeTestSupport
import Synchronization
import Testing

/// A scan without the command line: a list, transports, and a receiver of lines.
@Suite(.bounded) struct ScanRunTests {
    private func run(_ sink: GatheringSink, format: ScanFormat = .json, shard: Shard? = nil) -> ScanRun {
        let slots = ScanSlots(width: 4)
        let probe = ScanProbe(
            transports: [FailingTransport(.connectionRefused)], format: format, isClosed: { slots.isClosed }
        ) { scanned, left in
            Check(
                target: scanned.target, service: scanned.service, anchors: .none,
                timeout: left ?? scanned.timeout ?? .seconds(3600))
        }
        return ScanRun(probe, to: sink, slots: slots, shard: shard)
    }

    @Test func everyItemHasItsLines() async throws {
        let sink = GatheringSink()
        let run = run(sink)
        await run.run { () throws(InputError) in
            try TargetSource(arguments: ["192.0.2.0/30", #"{"target":"192.0.2.9","service":"mail"}"#])
        }
        let result = run.seal()
        #expect(result.isComplete && run.failure == nil)
        #expect(result.tally.targets == 5 && result.tally.results == 5)
        #expect(result.tally.frequent.map(\.outcome) == [.unreachable])
        let lines = sink.lines.withLock { $0 }
        #expect(lines.count == 5 && lines.allSatisfy { $0.contains(#""results":1"#) })
        #expect(lines.filter { $0.contains(#""service":"mail""#) }.count == 1)
    }

    @Test func targetsAtHandAreDoneOnce() async throws {
        let (first, second) = (try ScanTarget(target: Target("192.0.2.1")), try ScanTarget(target: Target("192.0.2.2")))
        let sink = GatheringSink()
        let run = run(sink, format: .csv)
        let done = DoneTargets([first.id])
        await run.run({ () throws(InputError) in TargetSource([first, second]) }, without: done)
        #expect(run.tally.skipped == 1 && run.tally.targets == 1)
        #expect(sink.lines.withLock { $0.map { $0.hasPrefix("192.0.2.2:443,") } } == [true])
        #expect(ScanFormat.csv.header?.hasPrefix("target,") == true && ScanFormat.json.header == nil)
    }

    @Test func aListThatCanNotBeReadIsNoCompleteScan() async throws {
        let run = run(GatheringSink())
        await run.run { () throws(InputError) in try TargetSource(arguments: [], file: "/nowhere/list") }
        #expect(!run.seal().isComplete && run.tally.isEmpty)
        #expect(run.failure?.source == .file)
    }

    @Test func clientIdentitiesNeedAReader() {
        let text = #"{"target":"192.0.2.1","clientCert":"client.pem"}"#
        let error = #expect(throws: InputError.self) { try TargetSource(arguments: [text]) }
        #expect(error?.message == "client.pem can't be read here")
    }
}

/// Keeps lines.
private final class GatheringSink: LineSink {
    let lines = Mutex<[String]>([])

    func enqueue(_ lines: [String], done: @escaping @Sendable () -> Void) {
        self.lines.withLock { $0 += lines }
        done()
    }
}
