import ArgumentParser

/// The number of further tries at a target that gave no answer.
struct RetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask again, up to this many times, where a target was unreachable or gave no answer; 0 when not given.",
            discussion: """
                A verdict is never asked for again. Each try may take --timeout; the pauses in between begin with one second and \
                double.
                """, valueName: "number"), transform: OptionNumber.whole(0...10, ""))
    var retry: Int = 0
}
