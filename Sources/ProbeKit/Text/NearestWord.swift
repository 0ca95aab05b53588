/// Suggests the known word that an unknown one was meant to be.
package enum NearestWord: Sendable {
    /// Returns the question and a space, for the beginning of a remedy; empty if no known word is near.
    package static func hint(for word: String, among known: some Sequence<String>) -> String {
        question(for: word, among: known).map { $0 + " " } ?? ""
    }

    /// Returns the question about the nearest known word, like `did you mean 'smtp'?`; nil if none is near.
    ///
    /// - Parameter most: the most changes; if nil, as many as half of the letters.
    package static func question(
        for word: String, among known: some Sequence<String>, within most: Int? = nil
    ) -> String? {
        of(word, among: known, within: most).map { question(about: [$0]) }
    }

    /// Returns the question about words that may be meant, like `did you mean 'imap' or 'smtp'?`.
    package static func question(about words: some Sequence<String>) -> String {
        "did you mean \(words.map { "'\($0)'" }.joined(separator: " or "))?"
    }

    /// Returns the known word that takes the fewest changes to get to; nil if none is near.
    ///
    /// - Parameter most: the most changes; if nil, as many as half of the letters.
    static func of(_ word: String, among known: some Sequence<String>, within most: Int? = nil) -> String? {
        let nearest = known.map { ($0, distance(Array(word.lowercased().utf8), Array($0.lowercased().utf8))) }
            .min { $0.1 < $1.1 }
        guard let nearest,
            nearest.1 <= most ?? max(1, min(word.utf8.count, nearest.0.utf8.count) / 2)
        else { return nil }
        return nearest.0
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard left.count <= 64, right.count <= 64 else { return .max }
        var rows = [Array(0...right.count)]
        for row in 0..<left.count {
            var next = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var best = min(
                    rows[row][column] + (isSame ? 0 : 1), rows[row][column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
