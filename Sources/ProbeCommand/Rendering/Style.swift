import ProbeKit

/// Terminal colours, or none.
struct Style {
    let isColoured: Bool

    func outcome(_ outcome: Outcome, _ text: String) -> String {
        switch outcome {
        case .pass: paint(text, "32")
        case .passWithWarnings: paint(text, "33")
        default: paint(text, "31")
        }
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func dim(_ text: String) -> String { paint(text, "2") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
