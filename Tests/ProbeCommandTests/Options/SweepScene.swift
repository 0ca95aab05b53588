/// A command with a line of arguments that every run of it has, and the classification of all its options.
struct SweepScene: Sendable, CustomStringConvertible {
    let description: String
    /// The command's names, like `profile lint`.
    let command: [String]
    /// The arguments of every run; `FOLDER` is the folder with the sweep's files.
    let arguments: [String]
    let options: [SweptOption]
    /// Pairs of which one deliberately makes the other idle, as the help says.
    var exempt: [(String, String, because: String)] = []

    init(
        _ description: String, _ command: [String], _ arguments: [String], _ options: [SweptOption]...,
        exempt: [(String, String, because: String)] = []
    ) {
        self.description = description
        self.command = command
        self.arguments = arguments
        self.options = options.reduce([], +)
        self.exempt = exempt
    }

    func isExempt(_ first: String, _ second: String) -> Bool {
        exempt.contains { Set([$0.0, $0.1]) == Set([first, second]) }
    }
}
