import Synchronization

/// The last probes and what they did, for people: as many that failed as passed, so that successes push no failure out.
///
/// A server decides on the length of its text, so that there is a limit of bytes too. Above it the kind that has more bytes loses
/// its oldest: half of them are for either.
final class ProbeHistory: Sendable {
    /// The most bytes of one text, and of all.
    static let (entryBytes, totalBytes) = (256 << 10, 64 << 20)

    /// One probe.
    struct Entry: Sendable {
        let id: Int
        let module: String
        let target: String
        let isSuccess: Bool
        let text: String
    }

    private struct State {
        var last = 0
        var entries: [Entry] = []
        /// The length of the texts of those that passed.
        var passed = 0
        /// The same of those that failed.
        var failed = 0

        mutating func append(_ entry: Entry) {
            entries.append(entry)
            count(entry.text.utf8.count, entry.isSuccess)
        }

        mutating func removeOldest(_ isSuccess: Bool) {
            guard let index = entries.firstIndex(where: { $0.isSuccess == isSuccess }) else { return }
            let removed = entries.remove(at: index)
            count(-removed.text.utf8.count, isSuccess)
        }

        private mutating func count(_ bytes: Int, _ isSuccess: Bool) {
            if isSuccess { passed += bytes } else { failed += bytes }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the most probes of each kind.
    init(limit: Int) {
        self.limit = limit
    }

    /// The probes that are kept, the last one first.
    var entries: [Entry] { state.withLock { $0.entries.reversed() } }

    subscript(id: Int) -> Entry? { state.withLock { $0.entries.first { $0.id == id } } }

    func add(module: String, target: String, isSuccess: Bool, text: String) {
        guard limit > 0 else { return }
        state.withLock { state in
            state.last += 1
            let entry = Entry(
                id: state.last, module: module, target: target, isSuccess: isSuccess, text: Self.cut(text))
            state.append(entry)
            for kept in [true, false] where state.entries.count(where: { $0.isSuccess == kept }) > limit {
                state.removeOldest(kept)
            }
            while state.passed + state.failed > Self.totalBytes { state.removeOldest(state.passed > state.failed) }
        }
    }

    /// Returns a text, or as many of its lines as there is room for.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > entryBytes else { return text }
        let beginning = text.utf8.prefix(entryBytes)
        let lines = beginning.prefix(through: beginning.lastIndex(of: UInt8(ascii: "\n")) ?? beginning.startIndex)
        return String(Substring(lines)) + "… (\(text.utf8.count - lines.count) bytes more)\n"
    }
}
