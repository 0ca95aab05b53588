/// The lines that a change adds or rewrites, as `git diff --unified=0` shows them.
public struct ChangedLines: Sendable {
    private var lines: [String: [ClosedRange<Int>]] = [:]

    /// Reads a diff.
    public init(diff: String) {
        var file = ""
        for line in diff.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/\+\+\+ b/(.+)/#) {
                file = String(match.1)
            } else if let match = line.prefixMatch(of: #/@@ -\S+ \+(\d+)(?:,(\d+))? @@/#), let first = Int(match.1) {
                let count = match.2.flatMap { Int($0) } ?? 1
                if count > 0 { lines[file, default: []].append(first...(first + count - 1)) }
            }
        }
    }

    /// Whether there are any in a file.
    public func touch(_ file: String) -> Bool { lines[file] != nil }

    /// Whether a mutant is in one of them.
    public func contains(_ mutant: Mutant) -> Bool {
        lines[mutant.name.file]?.contains { $0.contains(mutant.line) } ?? false
    }
}
