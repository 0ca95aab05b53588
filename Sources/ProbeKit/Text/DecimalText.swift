extension Double {
    /// Reads a number as people write it, like `2.5`: digits, and perhaps a point with digits behind it.
    ///
    /// Its other forms (`0x10`, `1e3`, `inf`, a sign) are nil: a person who wrote one may have meant something else.
    package init?(decimal text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard
            parts.allSatisfy({
                !$0.isEmpty && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            })
        else { return nil }
        self.init(text)
    }
}
