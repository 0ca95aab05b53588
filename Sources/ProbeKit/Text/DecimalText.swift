extension Double {
    /// Reads a number as people write it, like `2.5`: digits, and perhaps a point with digits behind it.
    ///
    /// Its other forms (`0x10`, `1e3`, `inf`, a sign) are nil: a person who wrote one may have meant something else.
    package init?(decimal text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy(\.isDigits) else { return nil }
        self.init(text)
    }
}

extension FixedWidthInteger {
    /// Reads a number of digits alone; nil for a sign and for anything that the type has no room for.
    package init?(decimal text: some StringProtocol) {
        guard text.isDigits else { return nil }
        self.init(text)
    }
}

extension StringProtocol {
    fileprivate var isDigits: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
