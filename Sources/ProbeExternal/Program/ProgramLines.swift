/// Splits a stream of bytes into lines of limited length.
package struct ProgramLines {
    private var partial: [UInt8] = []

    package init() {}

    /// Returns the lines that `bytes` complete, without their ends; nil if one is too long.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        for piece in Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 {
                lines.append(partial)
                partial = []
            }
            guard partial.count + piece.element.count <= ProgramLimits.lineBytes else { return nil }
            partial += piece.element
        }
        return lines
    }
}
