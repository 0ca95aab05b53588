import Foundation
import FoundationNetworking
import ProbeKit
import ProbeTestSupport

/// Debian's Prometheus, which scrapes an exporter by the rules that are shipped.
struct PrometheusUnderTest: Sendable {
    /// The folder of the examples.
    static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/prometheus").path

    let port: UInt16

    /// Runs it for the length of a closure; each target is scraped by its module, and named by the target's text.
    static func run<Value: Sendable>(
        _ targets: [(module: String, target: String)], by exporter: ExporterUnderTest,
        _ body: @escaping @Sendable (PrometheusUnderTest) async throws -> Value
    ) async throws -> Value {
        let jobs = targets.enumerated().map { number, item in
            """
              - job_name: probe-\(number)
                metrics_path: /probe
                params: {module: [\(item.module)]}
                static_configs: [{targets: ["\(item.target)"]}]
                relabel_configs:
                  - {source_labels: [__address__], target_label: __param_target}
                  - {source_labels: [__param_target], target_label: instance}
                  - {target_label: __address__, replacement: "127.0.0.1:\(exporter.port)"}
            """
        }
        return try await ScratchFolder.with { folder in
            try ScratchFolder.write(
                """
                global: {scrape_interval: 10s, scrape_timeout: 10s, evaluation_interval: 1s}
                rule_files: ["\(examples)/rules.yml"]
                scrape_configs:
                \(jobs.joined(separator: "\n"))
                  - job_name: exporter
                    static_configs: [{targets: ["127.0.0.1:\(exporter.port)"]}]
                """, to: "\(folder)/prometheus.yml")
            let port = try LoopbackPort.free()
            let process = PartnerProcess(
                program: "prometheus",
                arguments: [
                    "--config.file=\(folder)/prometheus.yml", "--storage.tsdb.path=\(folder)/data",
                    "--web.listen-address=127.0.0.1:\(port)", "--log.level=error",
                ], port: port)
            return try await process.run { try await body(PrometheusUnderTest(port: port)) }
        }
    }

    /// Returns what is at an address of its API.
    func get<Content: Decodable>(
        _ path: String, _ query: [String: String] = [:], as type: Content.Type
    ) async throws -> Content {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("http", "127.0.0.1", Int(port))
        components.path = "/api/v1/\(path)"
        components.queryItems = query.map { URLQueryItem(name: $0, value: $1) }
        guard let url = components.url else { throw URLError(.badURL) }
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode(Answer<Content>.self, from: data).data
    }

    /// Returns the values of a query, once it has so many.
    func values(of query: String, atLeast count: Int = 1) async throws -> [Double] {
        try await eventually("no value of \(query)") {
            let found = try await get("query", ["query": query], as: Vector.self).result
            return found.count < count ? nil : found.map(\.value.number)
        }
    }

    /// Returns what `body` returns as soon as that is something; what comes between may fail.
    func eventually<Value>(_ failure: String, _ body: () async throws -> Value?) async throws -> Value {
        let end = ContinuousClock.now + .seconds(1500)
        while .now < end {
            if let value = try? await body() { return value }
            try await Task.sleep(for: .milliseconds(200))
        }
        throw InputError(failure, remedy: "see that Prometheus reaches the exporter")
    }

    private struct Answer<Content: Decodable>: Decodable { let data: Content }

    /// The answer to an instant query.
    private struct Vector: Decodable {
        struct Series: Decodable { let value: Value }
        struct Value: Decodable {
            let number: Double

            init(from decoder: any Decoder) throws {
                var pair = try decoder.unkeyedContainer()
                _ = try pair.decode(Double.self)
                number = Double(try pair.decode(String.self)) ?? .nan
            }
        }

        let result: [Series]
    }

    /// The targets that it scrapes.
    struct Targets: Decodable {
        struct Target: Decodable {
            let health: String
            let lastError: String
            let labels: [String: String]
        }

        let activeTargets: [Target]
    }

    /// The rules that it evaluates.
    struct Rules: Decodable {
        struct Group: Decodable { let rules: [Rule] }
        struct Rule: Decodable {
            let name: String
            let health: String
            let lastError: String?
            let state: String?
        }

        let groups: [Group]
    }
}
