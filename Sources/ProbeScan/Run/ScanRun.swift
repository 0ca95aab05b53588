public import ProbeKit
import ProbeNet
import Synchronization

/// A scan: passes the list's targets to the probe, some at a time, and writes their results as they end.
///
///     let slots = ScanSlots(width: 32, waitingLimit: 512)
///     let probe = ScanProbe(transports: [OpenSSLTransport()], isClosed: { slots.isClosed }) { scanned, left in
///         Check(target: scanned.target, anchors: anchors, timeout: left ?? scanned.timeout ?? .seconds(10))
///     }
///     let run = ScanRun(probe, to: sink, slots: slots)
///     await run.run { () throws(InputError) in try TargetSource(arguments: ["a.example:443", "192.0.2.0/24"]) }
///     let result = run.seal()
///
/// A run is for one list. ``ScanSlots/close()`` ends it early, after the targets in progress. One that goes on with an earlier
/// list is given ``DoneTargets`` by the `scan.id` of that one's lines.
public final class ScanRun: Sendable {
    private let probe: ScanProbe
    private let output: any LineSink
    private let slots: ScanSlots
    private let shard: Shard?
    private let state: Mutex<State>

    private struct State {
        var tally: ScanTally
        /// The number of the list's items that were begun and not yet written.
        var open = 0
        /// True if all of the list was handed out.
        var isListDone = false
        /// The number of earlier items that the list does not have, or not as often; known at its end.
        var surplus = 0
        /// True if nothing more is written.
        var isSealed = false
        /// The handed-out share of the list; nil if that can't be known.
        var fraction: Double?
        /// The same when the first target began, and when that was.
        var start: (fraction: Double, instant: ContinuousClock.Instant)?
        var failure: InputError?
    }

    /// Creates a scan that has not begun.
    ///
    /// - Parameters:
    ///   - probe: answers a target.
    ///   - output: takes the lines; those of one target, or malformed item, together.
    ///   - slots: the number of targets in progress at once.
    ///   - shard: the part of the list that is done; nil is all of it.
    ///   - tally: the counts of earlier runs, as their ``tally`` has them.
    public init(
        _ probe: ScanProbe, to output: any LineSink, slots: ScanSlots, shard: Shard? = nil,
        tally: ScanTally = ScanTally()
    ) {
        self.probe = probe
        self.output = output
        self.slots = slots
        self.shard = shard
        state = Mutex(State(tally: tally))
    }

    /// The counts so far.
    public var tally: ScanTally { state.withLock { $0.tally } }

    /// The number of items with earlier results, which count, that the list does not have, or not as often: it was shortened,
    /// or the results are there twice. 0 until all of the list was handed out.
    package var surplus: Int { state.withLock { $0.surplus } }

    /// The reason why the list could not be read any further; nil if it could.
    public var failure: InputError? { state.withLock { $0.failure } }

    /// The result of a scan.
    public struct Result: Sendable {
        /// The counts, including those of earlier runs.
        public let tally: ScanTally
        /// True if all of the list was done, and is written.
        public let isComplete: Bool

        /// Creates the result of a run.
        package init(tally: ScanTally, isComplete: Bool) {
            self.tally = tally
            self.isComplete = isComplete
        }
    }

    /// Ends the scan and returns its result: nothing is written after this.
    public func seal() -> Result {
        state.withLock { state in
            state.isSealed = true
            return Result(
                tally: state.tally, isComplete: state.isListDone && state.open == 0 && state.failure == nil)
        }
    }

    /// Returns the progress.
    ///
    /// - Parameter before: the number of targets that had ended before this run.
    private func progress(since before: Int) -> ScanProgress {
        state.withLock { state in
            ScanProgress(
                tally: state.tally, inFlight: slots.inFlight, fraction: state.fraction, start: state.start,
                endedBefore: before)
        }
    }

    /// Works to the end of the list, or until no work may begin any more; then to the end of the work in progress.
    ///
    /// A list that can't be read to its end is ``failure`` afterwards; the targets before that have their lines.
    ///
    /// - Parameters:
    ///   - makeSource: makes the list, on the thread that reads it.
    ///   - done: the targets that are left out.
    ///   - report: called with the progress ten times a second.
    public func run(
        _ makeSource: @escaping @Sendable () throws(InputError) -> TargetSource,
        without done: DoneTargets = DoneTargets(),
        reporting report: @escaping @Sendable (ScanProgress) -> Void = { _ in }
    ) async {
        let ticks = Task { await tick(report) }
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
        ticks.cancel()
        await ticks.value
    }

    /// Lets waiting targets make room, adapts to how late this process is, and reports the progress, until it is cancelled.
    private func tick(_ report: @Sendable (ScanProgress) -> Void) async {
        let before = tally.ended
        while !Task.isCancelled {
            slots.adapt(to: ProcessLateness.shared.current)
            report(progress(since: before))
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func feed(_ source: TargetSource, without done: DoneTargets) async throws(InputError) {
        var done = done
        var failure: InputError?
        await withDiscardingTaskGroup { group in
            do throws(InputError) {
                while !slots.isClosed {
                    guard let item = try await source.next() else {
                        let surplus = done.count(of: shard)
                        state.withLock { ($0.isListDone, $0.surplus) = (true, surplus) }
                        break
                    }
                    note(source.fraction)
                    guard let item = wanted(item, &done) else { continue }
                    guard let ticket = await slots.enter() else { return }
                    state.withLock { $0.open += 1 }
                    switch item {
                    case .malformed(let line):
                        await write([probe.line(of: line)]) { $0.addMalformed() }
                        slots.leave(ticket)
                    case .target(let target):
                        group.addTask { [self] in
                            if let (lines, outcomes) = await probe.lines(of: target) {
                                await write(lines) { tally in
                                    if let earlier = target.earlier { tally.remove(earlier) }
                                    tally.add(outcomes)
                                }
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

    /// Writes the lines of an item and counts them, both or neither: the manifest describes the lines before it.
    private func write(_ lines: [String], _ count: (inout ScanTally) -> Void) async {
        await withCheckedContinuation { continuation in
            let isSealed = state.withLock { state in
                guard !state.isSealed else { return true }
                count(&state.tally)
                state.open -= 1
                // Inside the lock, so that a seal finds the item counted and handed over, or neither.
                output.enqueue(lines) { continuation.resume() }
                return false
            }
            if isSealed { continuation.resume() }
        }
    }

    /// Returns the item if it is to be done, by this shard and in this run.
    private func wanted(_ item: ScanItem, _ done: inout DoneTargets) -> ScanItem? {
        let id = item.id
        guard shard?.contains(id) ?? true else {
            state.withLock { $0.tally.otherShards += 1 }
            return nil
        }
        var item = item
        // In this order the results of the other certificate are replaced where a list names a target twice; files of results
        // are read in the same one.
        if case .target(var target) = item, let earlier = done.takeRenewed(id) ?? done.takeFailed(id) {
            target.earlier = earlier
            item = .target(target)
        } else if done.take(id) {
            state.withLock { $0.tally.skipped += 1 }
            return nil
        }
        state.withLock { state in
            if state.start == nil { state.start = (state.fraction ?? 0, .now) }
        }
        return item
    }

    private func note(_ fraction: Double?) {
        state.withLock { $0.fraction = fraction }
    }
}
