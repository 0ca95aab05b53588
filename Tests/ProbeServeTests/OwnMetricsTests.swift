import Foundation
import HTTPTypes
import Metrics
import Testing

@testable import ProbeServe

/// The server's counters, which are made through swift-metrics.
@Suite struct OwnMetricsTests {
    private func samples(_ metrics: MetricSet, _ name: String) -> [[String]: Double] {
        let samples = metrics.families.first { $0.name == name }?.samples ?? []
        return Dictionary(uniqueKeysWithValues: samples.map { ($0.labels.map(\.value), $0.value) })
    }

    private func scrape(_ own: OwnMetrics) -> MetricSet {
        let configuration = ServeConfiguration(modules: [], watch: .none, digest: "")
        return own.metrics(CurrentConfiguration.State(configuration: configuration, readAt: .now), load: (0, 0))
    }

    @Test("a scrape and the program's metrics system count the same") func twoReaders() {
        let system = ScrapedMetrics()
        let own = OwnMetrics(version: "1", started: .now, system: system)
        for passes in [true, true, false] { own.count(probeOf: "a", by: .scrape, passes: passes) }
        own.count(probeOf: "a", by: .watch, passes: true)
        own.countLateProbe(of: "a")
        own.count(requestTo: "/probe", status: .ok, took: .milliseconds(250))
        own.count(requestTo: "/probe", status: .ok, took: .milliseconds(500))
        let probes: [[String]: Double] = [
            ["a", "passed", "scrape"]: 2, ["a", "failed", "scrape"]: 1, ["a", "passed", "watch"]: 1,
            ["a", "failed", "watch"]: 0, ["a", "late", "watch"]: 1,
        ]
        let scraped = scrape(own)
        #expect(samples(scraped, "probe_serve_probes_total") == probes)
        #expect(samples(scraped, "probe_serve_requests_total") == [["/probe", "200"]: 2])
        #expect(samples(scraped, "probe_serve_requests_seconds_total") == [["/probe", "200"]: 0.75])
        var other = MetricSet()
        system.add(counter: "probe_serve_probes_total", "", to: &other)
        system.add(timer: "probe_serve_requests", "", seconds: "", to: &other)
        #expect(samples(other, "probe_serve_probes_total") == probes)
        #expect(samples(other, "probe_serve_requests_seconds_total") == [["/probe", "200"]: 0.75])
    }

    @Test("two servers of one process count each for itself") func twoServers() {
        let (one, other) = (OwnMetrics(version: "1", started: .now), OwnMetrics(version: "1", started: .now))
        one.countUnknownModule()
        #expect(samples(scrape(one), "blackbox_module_unknown_total") == [[]: 1])
        #expect(samples(scrape(other), "blackbox_module_unknown_total") == [[]: 0])
    }
}
