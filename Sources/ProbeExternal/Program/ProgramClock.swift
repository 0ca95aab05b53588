import ProbePlatform

/// The time that the process of a program has had.
struct ProgramClock {
    /// The number of the process, once it runs.
    var process: pid_t?
    private var last: ProgramTime?

    /// Returns it as it is now; nil without a process.
    func read() -> ProgramTime? { process.map { ProgramTime.now(ofProcess: $0) } }

    /// Returns it up to now, or a moment ago: reading it for each of many requests costs more.
    mutating func recent() -> ProgramTime {
        if let last, last.age < ProgramLimits.turn { return last }
        last = read()
        return last ?? .ofNone
    }
}
