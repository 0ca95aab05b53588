import ProbeKit
import ProbeReport

extension ConformancePage {
    /// One of the tables.
    struct Section {
        let key: String
        let title: String
        let cases: [ConformanceReport.Case]
        let backends: [String]

        static func all(of report: ConformanceReport) -> [Section] {
            [("tls", "TLS", report.tls), ("dns", "DNS", report.dns), ("signature", "Signatures", report.signatures)]
                .filter { !$0.2.isEmpty }
                .map { Section(key: $0.0, title: $0.1, cases: $0.2, backends: ConformanceReport.backends(of: $0.2)) }
        }

        var html: String {
            """
            <section id="\(key)" role="tabpanel" aria-labelledby="tab-\(key)" tabindex="-1">
            <table>
            <thead><tr><th scope="col">case</th>\(backends.map(head).joined())</tr></thead>
            <tbody>
            \(cases.enumerated().map { row($0.element, $0.offset) }.joined(separator: "\n"))
            </tbody>
            </table>
            </section>
            """
        }

        /// The script's input: an element for each case, since few are ever opened.
        var data: [String] {
            cases.enumerated().map { index, row in
                let json = HTMLText.inert(json: JSONText.line(CaseRecord(row)))
                return #"<script type="application/json" id="\#(key)-\#(index)">\#(json)</script>"#
            }
        }

        private func head(_ backend: String) -> String {
            let cells = cases.compactMap { row in row.cells.first { $0.backend == backend } }
            let broken = cells.count { $0.failure != nil }
            let known = cells.count { $0.failure == nil && $0.deviation != nil }
            let unsupported = cells.count { $0.failure == nil && $0.outcome == .unsupported }
            let parts = [
                broken == 0 ? nil : "<b>\(broken) broken</b>", known == 0 ? nil : "\(known) known",
                unsupported == 0 ? nil : "\(unsupported) unsupported",
            ].compactMap(\.self)
            return """
                <th scope="col">\(HTMLText.escape(backend))\
                <small>\(cells.count - broken) of \(cells.count)</small>\
                <small>\(parts.isEmpty ? "all alike" : parts.joined(separator: ", "))</small></th>
                """
        }

        private func row(_ row: ConformanceReport.Case, _ index: Int) -> String {
            let isDifferent = row.isKnownToDiffer || !row.isEqual || !row.isKept
            let kind = (isDifferent ? ["different"] : []) + (row.isKept ? [] : ["broken"])
            let cells = backends.map { backend in
                row.cells.first { $0.backend == backend }.map(cell) ?? #"<td class="unasked"></td>"#
            }
            return """
                <tr data-case="\(key)-\(index)" class="\(kind.joined(separator: " "))">\
                <th scope="row"><code>\(HTMLText.escape(row.id))</code>\
                <small>\(HTMLText.escape(row.sentence)) <i>\(HTMLText.escape(row.source))</i></small></th>\(cells.joined())</tr>
                """
        }

        private func cell(_ cell: ConformanceReport.Cell) -> String {
            let (kind, mark) =
                switch cell {
                case _ where cell.failure != nil: ("broken", "✗ ")
                case _ where cell.deviation != nil: ("known", "≠ ")
                case _ where cell.outcome == .unsupported: ("unsupported", "")
                default: ("kept", "")
                }
            return """
                <td><button type="button" tabindex="-1" class="\(kind)" \
                data-backend="\(HTMLText.escape(cell.backend))">\
                \(mark)\(cell.outcome?.rawValue ?? "not played")</button></td>
                """
        }
    }
}

extension HTMLText {
    /// Returns JSON that ends no script element and starts no comment in one, in ASCII. Replacements occur only in
    /// strings.
    static func inert(json: String) -> String {
        json.utf16.reduce(into: "") { text, unit in
            if unit < 0x7f, let scalar = Unicode.Scalar(unit), !"<>&".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }
}
