public import ProbePlatform
import Synchronization

/// A place that outlives the process, for the last verdicts of a watch.
public struct WatchMemory: Sendable {
    let load: @Sendable () async -> [String: Data]?
    let keep: @Sendable (String, Data) async -> Void
    let forget: @Sendable ([String]) async -> Void

    /// Creates a memory.
    ///
    /// - Parameters:
    ///   - load: returns all documents by their names; nil if they can't be read now.
    ///   - keep: keeps a document, whole or not at all.
    ///   - forget: removes the documents of these names.
    public init(
        load: @escaping @Sendable () async -> [String: Data]?,
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
    private let content = Mutex(Content())

    private struct Content {
        var states: [String: WatchedState] = [:]
        /// True once the memory could be read: nothing is kept before that, or it would replace what is there.
        var isRead = false
    }

    private let setup: String

    /// - Parameter setup: a digest of what judges beside the configuration.
    init(_ memory: WatchMemory?, setup: String = "") {
        self.memory = memory
        self.setup = setup
    }

    /// The last state of a target, whatever configuration it was judged by.
    subscript(item: WatchPlan.Item) -> WatchedState? { content.withLock { $0.states[Self.name(item)] } }

    /// Returns the last state of a target, if this configuration's judgement is its own: another server may have judged, or this
    /// one before its files were changed.
    func state(of item: WatchPlan.Item, judgedBy current: CurrentConfiguration.State) -> WatchedState? {
        self[item].flatMap { $0.judge == judge(current) ? $0 : nil }
    }

    private func judge(_ current: CurrentConfiguration.State) -> String { current.configuration.digest + " " + setup }

    /// The time for which the verdict of a target that nobody watches any more is kept: it has its history again if it comes
    /// back, and another server that keeps its verdicts in the same file, which are younger, loses none.
    private static let lifetime: Double = 7 * 86_400

    /// Has the verdicts of a plan's targets and no others: those that it has, else those that were kept before. Kept ones of
    /// other targets are forgotten after a week; those that can't be read count as missing.
    func settle(on plan: WatchPlan, at now: Date) async {
        let kept = await read()
        let names = Set(plan.items.map(Self.name))
        content.withLock { $0.states = $0.states.filter { names.contains($0.key) } }
        let old = kept.filter { !names.contains($0.key) && now.timeIntervalSince($0.value.checkedAt) > Self.lifetime }
        if !old.isEmpty { await memory?.forget(Array(old.keys)) }
    }

    /// Takes in what the memory has, and returns it; nothing if it can't be read now.
    private func read() async -> [String: WatchedState] {
        guard let documents = await memory?.load() else { return [:] }
        let kept = documents.compactMapValues { try? Self.decoder().decode(WatchedState.self, from: $0) }
        content.withLock { content in
            let isLate = !content.isRead
            content.states = kept.merging(content.states) { earlier, current in
                var current = current
                if isLate { current.follow(earlier) }
                return current
            }
            content.isRead = true
        }
        return kept
    }

    /// Replaces the verdict of a target. It is kept before it is shown: what was seen is still there after a `kill -9`.
    func put(_ state: WatchedState, of item: WatchPlan.Item, judgedBy current: CurrentConfiguration.State? = nil) async
    {
        let name = Self.name(item)
        var state = state
        state.judge = current.map(judge)
        if memory != nil, !content.withLock(\.isRead) {
            let kept = await read()
            if let earlier = kept[name] { state.follow(earlier) }
        }
        if let memory, content.withLock(\.isRead), let data = try? Self.encoder().encode(state) {
            await memory.keep(name, data)
        }
        content.withLock { $0.states[name] = state }
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
