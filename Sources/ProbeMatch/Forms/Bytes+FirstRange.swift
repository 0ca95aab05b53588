extension [UInt8] {
    /// Returns the first occurrence of a pattern in a range.
    func firstRange(of pattern: [UInt8], in range: Range<Int>) -> Range<Int>? {
        guard let first = pattern.first else { return nil }
        var rest = range
        while let start = self[rest].firstIndex(of: first), start + pattern.count <= range.upperBound {
            if self[start..<start + pattern.count].elementsEqual(pattern) { return start..<start + pattern.count }
            rest = start + 1..<range.upperBound
        }
        return nil
    }
}
