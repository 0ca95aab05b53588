import Logging
import ProbeKit
import ProbePlatform
import ProbeRun
import ServiceLifecycle
import Synchronization

/// Asks the watched targets in rounds, for as long as the server runs.
struct WatchRounds: Service {
    let current: CurrentConfiguration
    let board: WatchBoard
    let prober: ModuleProbe
    let slots: ProbeSlots
    let own: OwnMetrics
    let clock: ProbeClock
    let refused: RefusedTargets
    let late: LateTargets
    /// The number of targets that are asked at once; scrapes have places of their own beside them.
    let concurrency: Int

    /// The time after which a plan that was read anew counts.
    private static let turn: Duration = .seconds(1)
    /// The limit of one probe whose module has none.
    private static let usualTimeout: Duration = .seconds(30)

    /// The seconds after which verdicts that nobody watches any more are looked for, also without a new plan.
    private static let tidying: Double = 3600

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let queue = WatchQueue()
            var settled: (generation: Int, time: Date)?
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let (state, now) = (current.state, clock.now)
                    if settled?.generation != state.generation
                        || abs(now.timeIntervalSince(settled?.time ?? now)) > Self.tidying
                    {
                        await board.settle(on: state.configuration.watch, at: now)
                        refused.settle(on: state.configuration.watch)
                        late.settle(on: state.configuration.watch)
                        settled = (state.generation, now)
                    }
                    // Those that are still asked are not waited for: a silent server makes itself late and no other.
                    for _ in 0..<queue.add(due(state), workers: concurrency) {
                        group.addTask { while let item = queue.next() { await ask(item, of: queue) } }
                    }
                    try? await Task.sleep(for: Self.turn)
                }
                queue.end()
            }
        }
    }

    /// Returns the targets whose time has come.
    func due(_ state: CurrentConfiguration.State) -> [WatchPlan.Item] {
        let (plan, now) = (state.configuration.watch, clock.now)
        return plan.items.filter { item in
            guard !late.isPaused(item, at: now, every: plan.every) else { return false }
            return board.state(of: item, judgedBy: state)?.isDue(at: now, by: plan) ?? true
        }
    }

    private func ask(_ item: WatchPlan.Item, of queue: WatchQueue) async {
        await ask(item, current.state)
        queue.finish(item)
    }

    func ask(_ item: WatchPlan.Item, _ state: CurrentConfiguration.State) async {
        // It may have waited since before a reload that took it out.
        guard state.configuration.watch.contains(item), let module = state.configuration[item.module] else { return }
        // Nobody waits for the answer: the time for a place is not the server's.
        let limit = module.timeout ?? Self.usualTimeout
        let question = ModuleProbe.Question(
            target: item.target, hostname: item.hostname, timeout: limit, isWatched: true)
        let asked: Date
        let answer: ProbeAnswer
        var refusal: ServeRefusal?
        do throws(ServeRefusal) {
            (asked, answer) = try await slots.run(by: .after(limit)) {
                () async throws(ServeRefusal) -> (Date, ProbeAnswer) in
                // A probe may take minutes: its verdict is as old as its beginning.
                let start = clock.now
                return (start, try await prober.answer(question, of: module))
            }
        } catch  where error.status == .busy {
            // A server that ends gives no place either.
            if !Task.isCancelled { late.take(item, error.message, at: clock.now) }
            return
        } catch {
            var failure = ProbeAnswer()
            failure.fail(error.message)
            (asked, answer) = (clock.now, failure)
            refusal = error
        }
        // A server that ends, or is late itself, says nothing about its targets.
        guard !Task.isCancelled else { return }
        late.take(item, answer.lateness, at: clock.now)
        guard answer.lateness == nil else { return own.countLateProbe(of: item.module) }
        refused.take(item, refusal)
        // One that was refused is not a probe that was made, as for a scrape.
        if refusal == nil { own.count(probeOf: item.module, by: .watch, passes: answer.isSuccess) }
        let names = prober.verdictNames(question, of: module)
        await board.put(
            WatchedState(answer, at: asked, until: clock.now, after: board[item], asking: names), of: item,
            judgedBy: state)
    }
}

/// The targets that are to be asked, and those that are asked, each once.
private final class WatchQueue: Sendable {
    private struct State {
        var waiting: ArraySlice<WatchPlan.Item> = []
        var known: Set<WatchPlan.Item> = []
        var workers = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Adds the targets that are not there yet.
    ///
    /// - Parameter most: the number of targets that are asked at once.
    /// - Returns: the number of workers to start.
    func add(_ items: [WatchPlan.Item], workers most: Int) -> Int {
        state.withLock { state in
            for item in items where state.known.insert(item).inserted { state.waiting.append(item) }
            let new = max(0, min(most - state.workers, state.waiting.count))
            state.workers += new
            return new
        }
    }

    /// Returns the next target for a worker; nil ends it.
    func next() -> WatchPlan.Item? {
        state.withLock { state in
            if !state.isOver, let item = state.waiting.popFirst() { return item }
            state.workers -= 1
            return nil
        }
    }

    /// Lets a target be asked again.
    func finish(_ item: WatchPlan.Item) { state.withLock { _ = $0.known.remove(item) } }

    /// Lets no target be asked any more.
    func end() { state.withLock { $0.isOver = true } }
}
