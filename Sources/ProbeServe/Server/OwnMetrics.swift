import Foundation
import ProbeKit
import Synchronization

/// The server's metrics of itself.
final class OwnMetrics: Sendable {
    private struct Counts {
        var probes: [String: (passed: Int, failed: Int)] = [:]
        var refused: [Int: Int] = [:]
        var unknownModules = 0
    }

    private let counts = Mutex(Counts())
    private let version: String
    private let started: Date

    init(version: String, started: Date) {
        self.version = version
        self.started = started
    }

    func count(probeOf module: String, passes: Bool) {
        counts.withLock { counts in
            let old = counts.probes[module] ?? (0, 0)
            counts.probes[module] = passes ? (old.passed + 1, old.failed) : (old.passed, old.failed + 1)
        }
    }

    func count(_ refusal: ServeRefusal) { counts.withLock { $0.refused[refusal.status.rawValue, default: 0] += 1 } }

    func countUnknownModule() { counts.withLock { $0.unknownModules += 1 } }

    /// Returns the metrics, with the server's state.
    func metrics(_ configuration: CurrentConfiguration.State, load: (running: Int, waiting: Int)) -> MetricSet {
        var metrics = MetricSet()
        let counts = counts.withLock { $0 }
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
        metrics.add(
            counter: "blackbox_module_unknown_total", "The requests for a module that is not configured.",
            value: Double(counts.unknownModules))
        for (module, count) in counts.probes {
            for (result, number) in [("passed", count.passed), ("failed", count.failed)] {
                metrics.add(
                    counter: "probe_serve_probes_total", "The probes that were made, by module and result.",
                    ["module": module, "result": result], value: Double(number))
            }
        }
        for (status, number) in counts.refused {
            metrics.add(
                counter: "probe_serve_refused_requests_total", "The requests for a probe that were refused, by status.",
                ["code": "\(status)"], value: Double(number))
        }
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
        if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
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
