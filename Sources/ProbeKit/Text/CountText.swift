extension Int {
    /// The number with its noun, like `1 pin` and `2 pins`.
    ///
    /// - Parameter plural: of the noun; nil for one that ends in s.
    package func counted(_ noun: String, plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun + "s")"
    }
}
