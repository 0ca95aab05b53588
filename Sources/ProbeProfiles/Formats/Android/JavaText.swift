extension StringProtocol {
    /// The text without the spaces and control characters around it, as Java's `String.trim` leaves it: other blanks stay.
    var javaTrimmed: String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0x20 }
        guard let first = unicodeScalars.firstIndex(where: isKept), let last = unicodeScalars.lastIndex(where: isKept)
        else { return "" }
        return String(String.UnicodeScalarView(unicodeScalars[first...last]))
    }
}
