/// A table of left-aligned columns two spaces apart, for terminals.
package struct TextTable: Sendable {
    private let columns: [String]
    private let rows: [[String]]

    /// Creates a table of rows, each with as many cells as there are columns.
    package init(columns: [String], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The lines, that of the columns' names first.
    package var text: String {
        let all = [columns] + rows
        let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line
        }.joined(separator: "\n")
    }
}
