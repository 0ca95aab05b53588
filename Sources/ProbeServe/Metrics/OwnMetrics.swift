import Foundation
import HTTPTypes
import Metrics
import ProbeKit
import ProbePlatform

/// The server's metrics of itself.
///
/// Its counters are made through swift-metrics, so that a program with a metrics system of its own has them there too.
struct OwnMetrics: Sendable {
    /// The one for which a probe was made: a scrape, or the watch in the background.
    enum Asker: String, CaseIterable {
        case scrape, watch
    }

    private static let probes = "probe_serve_probes_total"
    private static let refused = "probe_serve_refused_requests_total"
    private static let unknownModules = "blackbox_module_unknown_total"
    private static let requests = "probe_serve_requests"

    private let scraped = ScrapedMetrics()
    private let factory: any MetricsFactory
    private let version: String
    private let started: Date

    /// - Parameter system: the metrics system of the program, which has the counters beside the scrapes.
    init(version: String, started: Date, system: any MetricsFactory = MetricsSystem.factory) {
        self.version = version
        self.started = started
        factory = MultiplexMetricsHandler(factories: [scraped, system])
        Counter(label: Self.unknownModules, factory: factory).increment(by: 0)
    }

    func count(probeOf module: String, by asker: Asker, passes: Bool) {
        count(module, asker, passes ? "passed" : "failed")
    }

    /// Counts a probe of the watch without a verdict, since this process was late. One of a scrape is a refused request.
    func countLateProbe(of module: String) { count(module, .watch, "late") }

    /// Counts one of the results that an asker can have; the others are there too, so that each begins at zero.
    private func count(_ module: String, _ asker: Asker, _ result: String) {
        for known in ["passed", "failed"] + (asker == .watch ? ["late"] : []) {
            let labels = [("module", module), ("result", known), ("asker", asker.rawValue)]
            Counter(label: Self.probes, dimensions: labels, factory: factory).increment(by: known == result ? 1 : 0)
        }
    }

    func count(_ refusal: ServeRefusal) {
        Counter(label: Self.refused, dimensions: [("code", "\(refusal.status.rawValue)")], factory: factory).increment()
    }

    func countUnknownModule() { Counter(label: Self.unknownModules, factory: factory).increment() }

    /// Counts a request to one of the server's own paths; nil is any other.
    func count(requestTo path: String?, status: HTTPResponse.Status, took duration: Duration) {
        let labels = [("path", path ?? "other"), ("code", "\(status.code)")]
        Timer(label: Self.requests, dimensions: labels, factory: factory).record(duration: duration)
    }

    /// Returns the metrics, with the server's state.
    func metrics(_ configuration: CurrentConfiguration.State, load: (running: Int, waiting: Int)) -> MetricSet {
        var metrics = MetricSet()
        metrics.add(
            "probe_serve_build_info", "The version of this program.", ["version": version], holds: true)
        // blackbox_exporter's names, which alerts have.
        metrics.add(
            "blackbox_exporter_config_last_reload_successful", "Whether the configuration could be read the last time.",
            holds: configuration.isFresh)
        metrics.add(
            "blackbox_exporter_config_last_reload_success_timestamp_seconds",
            "When the configuration that counts was read, in Unix time.",
            value: configuration.readAt.timeIntervalSince1970)
        scraped.add(
            counter: Self.unknownModules, "The requests for a module that is not configured.", to: &metrics)
        scraped.add(
            counter: Self.probes, "The probes that were made, by module, result and the one who asked for them.",
            to: &metrics)
        scraped.add(counter: Self.refused, "The requests for a probe that were refused, by status.", to: &metrics)
        scraped.add(
            timer: Self.requests, "The requests that were answered, by path and status.",
            seconds: "The time that answering them took, by path and status.", to: &metrics)
        metrics.add("probe_serve_probes_running", "The probes that run.", value: Double(load.running))
        metrics.add("probe_serve_probes_waiting", "The probes that wait until others end.", value: Double(load.waiting))
        ProcessMetrics.add(started: started, to: &metrics)
        return metrics
    }
}

/// The process as Linux shows it; elsewhere only when it was started.
enum ProcessMetrics {
    static func add(started: Date, to metrics: inout MetricSet) {
        metrics.add(
            "process_start_time_seconds", "When the process was started, in Unix time.",
            value: started.timeIntervalSince1970)
        if let status = SystemFile.text(at: "/proc/self/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        {
            metrics.add("process_resident_memory_bytes", "The memory of the process.", value: kilobytes * 1024)
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            metrics.add("process_open_fds", "The number of open descriptors.", value: Double(files.count))
        }
    }
}
