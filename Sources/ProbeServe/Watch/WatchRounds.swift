import Logging
import ProbeKit
import ProbePlatform
import ProbeRun
import ServiceLifecycle

/// Asks the watched targets in rounds, for as long as the server runs.
struct WatchRounds: Service {
    let current: CurrentConfiguration
    let board: WatchBoard
    let prober: ModuleProbe
    let slots: ProbeSlots
    let own: OwnMetrics
    let clock: ProbeClock
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
            var settled: (plan: Date, time: Date)?
            while !Task.isCancelled {
                let (state, now) = (current.state, clock.now)
                if settled?.plan != state.readAt || abs(now.timeIntervalSince(settled?.time ?? now)) > Self.tidying {
                    await board.settle(on: state.configuration.watch, at: now)
                    settled = (state.readAt, now)
                }
                await round()
                try? await Task.sleep(for: Self.turn)
            }
        }
    }

    /// Asks all targets whose time has come.
    func round() async {
        let configuration = current.state.configuration
        let due = configuration.watch.items.filter { item in
            guard let last = board[item] else { return true }
            let age = clock.now.timeIntervalSince(last.checkedAt)
            // A clock that was set back would leave a verdict for good.
            return age < 0 || age >= configuration.watch.every.inSeconds
        }
        await withTaskGroup { group in
            var rest = due[...]
            for item in rest.prefix(concurrency) { group.addTask { await ask(item, configuration) } }
            rest = rest.dropFirst(concurrency)
            while await group.next() != nil, !Task.isCancelled {
                guard let item = rest.popFirst() else { continue }
                group.addTask { await ask(item, configuration) }
            }
        }
    }

    private func ask(_ item: WatchPlan.Item, _ configuration: ServeConfiguration) async {
        guard let module = configuration[item.module] else { return }
        let deadline = Deadline.after(module.timeout ?? Self.usualTimeout)
        let answer: ProbeAnswer
        do throws(ServeRefusal) {
            answer = try await slots.run(by: deadline) { () async throws(ServeRefusal) in
                try await prober.answer(
                    ModuleProbe.Question(
                        target: item.target, hostname: item.hostname, timeout: deadline.remaining, isWatched: true),
                    of: module)
            }
        } catch  where error.status == .busy {
            // It stays due.
            return
        } catch {
            var refused = ProbeAnswer()
            refused.fail(error.message)
            answer = refused
        }
        // A server that ends, or is late itself, says nothing about its targets.
        guard !Task.isCancelled, !answer.results.contains(where: { $0.verdict.outcome == .localOverload }) else {
            return
        }
        own.count(probeOf: item.module, by: .watch, passes: answer.isSuccess)
        await board.put(WatchedState(answer, at: clock.now, after: board[item]), of: item)
    }
}
