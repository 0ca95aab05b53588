package import ProbeKit

extension ConnectionEvidence {
    /// Returns the fix that leaves some of several valid paths, with the certificates at which they part; nil if one of the others
    /// stays whatever the server sends, because it parts above that.
    ///
    /// - Parameters:
    ///   - kept: the paths to keep.
    ///   - others: the paths to close.
    package func serving(_ kept: [ValidatedPath], not others: [ValidatedPath]) -> Fix? {
        func sent(_ paths: [ValidatedPath], but known: [ValidatedPath]) -> [Int] {
            let known = Set(known.flatMap(\.indices))
            return Set(paths.flatMap(\.indices)).subtracting(known).sorted()
                .filter { certificates[$0].source == .presented }
        }
        func names(_ indices: [Int]) -> String { indices.map { text(of: [$0]) }.joined(separator: " and ") }
        guard others.allSatisfy({ !sent([$0], but: kept).isEmpty }) else { return nil }
        let own = sent(kept, but: others)
        let keep = own.isEmpty ? "" : ", keep \(names(own))"
        return "\(.serveOnePath): leave out \(names(sent(others, but: kept)))\(keep)"
    }
}
