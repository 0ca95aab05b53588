import ArgumentParser
import ProbeKit
import ProbePlatform

/// The instant at which validity is judged.
struct InstantOption: ParsableArguments {
    @Option(help: ArgumentHelp("Judge validity at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: Given<Date>?

    var clock: ProbeClock { Self.clock(at) }

    /// Returns the same clock for a long run: it starts at that instant and runs.
    var runningClock: ProbeClock {
        guard let start = at?.value else { return .system }
        let begin = ContinuousClock.now
        return ProbeClock { start.addingTimeInterval(begin.duration(to: .now).inSeconds) }
    }

    /// Returns the clock that stands at an instant; the system's if none was given.
    static func clock(_ instant: Given<Date>?) -> ProbeClock { instant.map { .fixed($0.value) } ?? .system }
}
