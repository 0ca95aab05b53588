public import ProbePlatform
import Synchronization

/// A place that outlives the process, for the last verdicts of a watch.
public struct WatchMemory: Sendable {
    let load: @Sendable () async -> [String: Data]
    let keep: @Sendable (String, Data) async -> Void

    /// Creates a memory.
    ///
    /// - Parameters:
    ///   - load: returns all documents by their names.
    ///   - keep: keeps a document, whole or not at all.
    public init(
        load: @escaping @Sendable () async -> [String: Data],
        keep: @escaping @Sendable (String, Data) async -> Void
    ) {
        self.load = load
        self.keep = keep
    }
}

/// The last verdicts of the watched targets.
final class WatchBoard: Sendable {
    private let memory: WatchMemory?
    private let states = Mutex<[String: WatchedState]>([:])

    init(_ memory: WatchMemory?) {
        self.memory = memory
    }

    subscript(item: WatchPlan.Item) -> WatchedState? { states.withLock { $0[Self.name(item)] } }

    /// Takes what was kept by a server before. Documents that can't be read count as missing.
    func recall() async {
        guard let documents = await memory?.load() else { return }
        let kept = documents.compactMapValues { try? Self.decoder().decode(WatchedState.self, from: $0) }
        states.withLock { $0.merge(kept) { current, _ in current } }
    }

    /// Replaces the verdict of a target.
    func put(_ state: WatchedState, of item: WatchPlan.Item) async {
        let name = Self.name(item)
        states.withLock { $0[name] = state }
        if let memory, let data = try? Self.encoder().encode(state) { await memory.keep(name, data) }
    }

    /// A name that no other target has.
    private static func name(_ item: WatchPlan.Item) -> String {
        [item.module, item.target, item.hostname].map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined(
            separator: " ")
    }

    // Metrics may be NaN or infinite.
    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return decoder
    }
}
