import ProbeKit
import Synchronization

/// A scan: passes the list's targets to the probe, some at a time, and writes their results as they end.
final class ScanRun: Sendable {
    private let probe: ScanProbe
    private let output: LineOutput
    private let slots: ScanSlots
    private let shard: Shard?
    private let state: Mutex<State>

    private struct State {
        var tally: ScanTally
        /// The handed-out share of the list; nil if that can't be known.
        var fraction: Double?
        /// The same when the first target began, and when that was.
        var start: (fraction: Double, instant: ContinuousClock.Instant)?
        var failure: InputError?
    }

    /// - Parameter tally: the counts of earlier runs.
    init(_ probe: ScanProbe, to output: LineOutput, slots: ScanSlots, shard: Shard?, tally: ScanTally) {
        self.probe = probe
        self.output = output
        self.slots = slots
        self.shard = shard
        state = Mutex(State(tally: tally))
    }

    /// The counts so far.
    var tally: ScanTally { state.withLock { $0.tally } }

    /// The reason why the list could not be read any further; nil if it could.
    var failure: InputError? { state.withLock { $0.failure } }

    /// Returns the progress.
    func progress() -> ScanProgress {
        state.withLock { state in
            ScanProgress(
                tally: state.tally, inFlight: slots.inFlight, fraction: state.fraction, start: state.start)
        }
    }

    /// Works to the end of the list, or until no work may begin any more; then to the end of the work in progress.
    ///
    /// - Parameter makeSource: makes the list, on the thread that reads it.
    func run(
        _ makeSource: @escaping @Sendable () throws(InputError) -> TargetSource, without done: DoneTargets
    ) async {
        // Reading may wait for a terminal or a pipe indefinitely, and the end of the scan must not wait for that.
        Task { [self] in
            do throws(InputError) {
                try await feed(try makeSource(), without: done)
            } catch {
                state.withLock { $0.failure = error }
            }
            slots.end()
        }
        await slots.finished()
    }

    private func feed(_ source: TargetSource, without done: DoneTargets) async throws(InputError) {
        var done = done
        var failure: InputError?
        await withDiscardingTaskGroup { group in
            do throws(InputError) {
                while !slots.isClosed, let item = try await source.next() {
                    note(source.fraction)
                    guard isWanted(item, &done) else { continue }
                    switch item {
                    case .malformed(let line):
                        guard let ticket = await slots.enter() else { return }
                        await output.write([JSONText.line(MalformedLine(line))])
                        state.withLock { $0.tally.addMalformed() }
                        slots.leave(ticket)
                    case .target(let target):
                        guard let ticket = await slots.enter() else { return }
                        group.addTask { [self] in
                            if let (lines, outcomes) = await probe.lines(of: target) {
                                await output.write(lines)
                                state.withLock { $0.tally.add(outcomes) }
                            }
                            slots.leave(ticket)
                        }
                    }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func isWanted(_ item: ScanItem, _ done: inout DoneTargets) -> Bool {
        let id = item.id
        guard shard?.contains(id) ?? true else {
            state.withLock { $0.tally.otherShards += 1 }
            return false
        }
        guard !done.take(id) else {
            state.withLock { $0.tally.skipped += 1 }
            return false
        }
        state.withLock { state in
            if state.start == nil { state.start = (state.fraction ?? 0, .now) }
        }
        return true
    }

    private func note(_ fraction: Double?) {
        state.withLock { $0.fraction = fraction }
    }
}
