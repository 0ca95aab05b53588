public import ProbePlatform
import Synchronization

/// A place that outlives the process, for the last verdicts of a watch.
public struct WatchMemory: Sendable {
    let load: @Sendable () async -> [String: Data]
    let keep: @Sendable (String, Data) async -> Void
    let forget: @Sendable ([String]) async -> Void

    /// Creates a memory.
    ///
    /// - Parameters:
    ///   - load: returns all documents by their names.
    ///   - keep: keeps a document, whole or not at all.
    ///   - forget: removes the documents of these names.
    public init(
        load: @escaping @Sendable () async -> [String: Data],
        keep: @escaping @Sendable (String, Data) async -> Void,
        forget: @escaping @Sendable ([String]) async -> Void
    ) {
        self.load = load
        self.keep = keep
        self.forget = forget
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

    /// The time for which the verdict of a target that nobody watches any more is kept: it has its history again if it comes
    /// back, and another server that keeps its verdicts in the same file, which are younger, loses none.
    private static let lifetime: Double = 7 * 86_400

    /// Has the verdicts of a plan's targets and no others: those that it has, else those that were kept before. Kept ones of
    /// other targets are forgotten after a week; those that can't be read count as missing.
    func settle(on plan: WatchPlan, at now: Date) async {
        let kept = (await memory?.load() ?? [:]).compactMapValues {
            try? Self.decoder().decode(WatchedState.self, from: $0)
        }
        let names = Set(plan.items.map(Self.name))
        states.withLock { states in
            states = kept.merging(states) { _, current in current }.filter { names.contains($0.key) }
        }
        let old = kept.filter { !names.contains($0.key) && now.timeIntervalSince($0.value.checkedAt) > Self.lifetime }
        if !old.isEmpty { await memory?.forget(Array(old.keys)) }
    }

    /// Replaces the verdict of a target. It is kept before it is shown: what was seen is still there after a `kill -9`.
    func put(_ state: WatchedState, of item: WatchPlan.Item) async {
        let name = Self.name(item)
        if let memory, let data = try? Self.encoder().encode(state) { await memory.keep(name, data) }
        states.withLock { $0[name] = state }
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
