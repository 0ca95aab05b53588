public import ProbeKit

/// Terminal colours, or none.
public struct Style: Sendable {
    let isColoured: Bool

    /// Creates the style of a text.
    ///
    /// - Parameter isColoured: true for escape sequences of ECMA-48 around what is painted, as terminals take them.
    public init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Returns a text in the colour of an outcome: green, yellow for one with warnings, and red for one that fails.
    public func outcome(_ outcome: Outcome, _ text: String) -> String {
        switch outcome {
        case .pass: paint(text, "32")
        case .passWithWarnings: paint(text, "33")
        default: paint(text, "31")
        }
    }

    /// Returns a text in bold.
    public func bold(_ text: String) -> String { paint(text, "1") }

    /// Returns a text that is dimmed.
    public func dim(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
