import Metrics
import Synchronization

/// The counters and timers that were made through swift-metrics, kept for a scrape.
///
/// A timer is scraped as two counters: the times that were measured, and the seconds of all of them.
final class ScrapedMetrics: MetricsFactory {
    private struct Name: Hashable {
        let label: String
        let dimensions: [MetricFamily.Label]

        init(_ label: String, _ dimensions: [(String, String)]) {
            self.label = label
            self.dimensions = dimensions.map { MetricFamily.Label(name: $0, value: $1) }
        }
    }

    private final class Count: CounterHandler {
        let value = Atomic<Int64>(0)

        func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

        func reset() { value.store(0, ordering: .relaxed) }
    }

    private final class Times: TimerHandler {
        let count = Atomic<Int64>(0)
        let nanoseconds = Atomic<Int64>(0)

        func recordNanoseconds(_ duration: Int64) {
            count.wrappingAdd(1, ordering: .relaxed)
            nanoseconds.wrappingAdd(duration, ordering: .relaxed)
        }
    }

    private let counts = Mutex<[Name: Count]>([:])
    private let times = Mutex<[Name: Times]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counts.withLock { counts in
            let name = Name(label, dimensions)
            if let count = counts[name] { return count }
            let count = Count()
            counts[name] = count
            return count
        }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        times.withLock { times in
            let name = Name(label, dimensions)
            if let known = times[name] { return known }
            let new = Times()
            times[name] = new
            return new
        }
    }

    /// Records nothing: no metric of the server is one.
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    // A scraper expects that a counter never leaves.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Adds those with a label to a scrape.
    func add(counter label: String, _ help: String, to metrics: inout MetricSet) {
        for (name, count) in counts.withLock({ $0 }) where name.label == label {
            let value = count.value.load(ordering: .relaxed)
            metrics.add(counter: label, help, labels: name.dimensions, value: Double(value))
        }
    }

    /// Adds the times with a label, with the help of their number and that of their sum.
    func add(timer label: String, _ help: String, seconds: String, to metrics: inout MetricSet) {
        for (name, times) in times.withLock({ $0 }) where name.label == label {
            let (count, nanoseconds) = (
                times.count.load(ordering: .relaxed), times.nanoseconds.load(ordering: .relaxed)
            )
            metrics.add(counter: "\(label)_total", help, labels: name.dimensions, value: Double(count))
            metrics.add(
                counter: "\(label)_seconds_total", seconds, labels: name.dimensions,
                value: Double(nanoseconds) / 1e9)
        }
    }
}
