import ProbeKit
import ProbeRun

/// The root stores beside each other, as text: whether each has a path to one of its anchors, and to which.
struct StoreTable: Sendable {
    private let rows: [(store: String, answer: String)]

    /// The stores of the first result that has any: all backends were shown the same chain, or differ in more than this.
    init(_ results: [ProbeResult]) {
        let connection = results.lazy.compactMap(\.evidence.connection).first { !$0.stores.isEmpty }
        rows =
            connection.map { connection in
                connection.stores.map { store in
                    let anchor = connection.path(of: store)?.last.map { connection.certificates[$0].name }
                    return (store.store, anchor.map { "to \($0)" } ?? "refused: \(store.trust.cause?.rawValue ?? "")")
                }
            } ?? []
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The table's lines.
    ///
    /// - Parameter isFolded: true for one line for all stores of one answer.
    func lines(isFolded: Bool) -> [String] {
        guard isFolded else {
            let width = rows.map(\.store.count).max() ?? 0
            return rows.map { "    \($0.store.padding(to: width))  \($0.answer)" }
        }
        var order: [String] = []
        for row in rows where !order.contains(row.answer) { order.append(row.answer) }
        return order.map { answer in
            let stores = rows.filter { $0.answer == answer }.map(\.store)
            return "    \(answer): \(stores.joined(separator: ", "))"
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
