import ProbeKit
import ProbeReport
import ProbeRun

/// Prints the changes of a watch, runs the hook once for those that belong together, and keeps the last outcome of each
/// subject.
///
/// The hooks come first, a few at a time: an output that can't be written ends the process.
struct WatchFollower: Sendable {
    let format: OutputFormat
    let output: LineOutput
    let hook: Hook?
    /// True if the first subject that does not pass ends the watch.
    let untilFailure: Bool
    let outcomes: WatchOutcomes

    private static let hooksAtOnce = 8

    /// Follows the watch to its end.
    func follow(_ watch: Watch) async {
        var hasFailed = false
        var rounds = watch.makeAsyncIterator()
        while let round = await rounds.nextRound() {
            if let hook {
                _ = await Concurrently.map(HookEvent.events(of: round), atMost: Self.hooksAtOnce) {
                    await run(hook, $0)
                }
            }
            for change in round { await report(change) }
            for change in round where change.isStatus {
                outcomes.put(change.to, of: change.subject)
                hasFailed = hasFailed || !change.to.isPass
            }
            if hasFailed, untilFailure, outcomes.areComplete { break }
        }
        await rounds.finish()
    }

    private func report(_ change: StatusChange) async {
        let line =
            switch format {
            case .json: WatchLine(change).json
            default: WatchText(style: Style(isColoured: Terminal.wantsColour)).text(change)
            }
        await output.write([line])
    }

    private func run(_ hook: Hook, _ event: HookEvent) async {
        // A cancelled watch still runs the hook for what it saw.
        guard let failure = await Task(operation: { await hook.run(event) }).value else { return }
        ProbeLog(.watch).warning("the command of --exec on \(public: event.subject): \(public: failure)")
    }
}

extension StatusChange {
    /// True if it is a subject's status, and not a notice beside it.
    fileprivate var isStatus: Bool {
        switch kind {
        case .status, .recovered, .terminal: true
        case .drift, .expiring: false
        }
    }
}
