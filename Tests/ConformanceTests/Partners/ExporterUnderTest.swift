import Foundation
import FoundationNetworking
import ProbeKit

/// `probe serve` as it was built, or blackbox_exporter, on a port of loopback.
struct ExporterUnderTest: Sendable {
    /// One sample, without the labels that only one of the two exporters has.
    struct Sample: Hashable, CustomStringConvertible {
        let name: String
        let labels: [String: String]
        let value: Double

        var description: String {
            "\(name)\(labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }) \(value)"
        }
    }

    let port: UInt16
    private let process: PartnerProcess

    /// The command that was built.
    static let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "probe").path

    /// `probe serve`, which may dial loopback.
    static func probe(_ configuration: String) throws -> ExporterUnderTest {
        try ExporterUnderTest(
            program: "env",
            [probe, "serve", "--config.file", configuration, "--allow-network", "127.0.0.0/8", "--web.listen-address"])
    }

    /// blackbox_exporter.
    static func blackbox(_ configuration: String) throws -> ExporterUnderTest {
        try ExporterUnderTest(
            program: "prometheus-blackbox-exporter", ["--config.file", configuration, "--web.listen-address"])
    }

    private init(program: String, _ arguments: [String]) throws {
        port = try LoopbackPort.free()
        process = PartnerProcess(program: program, arguments: arguments + ["127.0.0.1:\(port)"], port: port)
    }

    func run<Value: Sendable>(_ body: @Sendable (ExporterUnderTest) async throws -> Value) async throws -> Value {
        try await process.run { try await body(self) }
    }

    /// Returns the text of an address.
    func text(_ path: String, accept: String? = nil) async throws -> String {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 120)
        request.setValue("90.5", forHTTPHeaderField: "X-Prometheus-Scrape-Timeout-Seconds")
        if let accept { request.setValue(accept, forHTTPHeaderField: "Accept") }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw InputError("\(path): \(String(decoding: data, as: UTF8.self))", remedy: "ask for what there is")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the samples of a probe.
    func samples(_ module: String, _ target: String) async throws -> [Sample] {
        try await text("/probe?module=\(module)&target=\(target)").split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: #/([a-z_0-9]+)(?:\{(.*)\})? (\S+)/#), let value = Double(match.3)
            else {
                return nil
            }
            let labels = (match.2 ?? "").matches(of: #/(\w+)="((?:[^"\\]|\\.)*)"/#).map { (String($0.1), String($0.2)) }
            return Sample(name: String(match.1), labels: Dictionary(labels) { first, _ in first }, value: value)
        }
    }

    /// The metrics that both have and that do not say how long something took.
    private static let common: Set<String> = [
        "probe_success", "probe_ip_protocol", "probe_ip_addr_hash", "probe_failed_due_to_regex",
        "probe_ssl_earliest_cert_expiry", "probe_ssl_last_chain_expiry_timestamp_seconds", "probe_ssl_last_chain_info",
        "probe_tls_version_info", "probe_http_ssl", "probe_dns_query_succeeded", "probe_dns_answer_rrs",
        "probe_dns_authority_rrs", "probe_dns_additional_rrs",
    ]

    /// Compares what both exporters have.
    ///
    /// - Returns: the number of compared samples, and those of `theirs` that are not among `ours`.
    static func compare(_ theirs: [Sample], with ours: [Sample]) -> (count: Int, differences: [String]) {
        // Theirs has nothing to say of a handshake that it refused.
        let passes = theirs.contains { $0.name == "probe_success" && $0.value == 1 }
        let compared = theirs.filter { sample in
            common.contains(sample.name) && (passes || !sample.name.contains("_ssl") && !sample.name.contains("_tls"))
        }
        let differences = compared.compactMap { sample -> String? in
            let same = ours.filter { other in
                other.name == sample.name && sample.labels.allSatisfy { other.labels[$0.key] == $0.value }
            }
            guard same.map(\.value) != [sample.value] else { return nil }
            return "\(sample) in \(ours.filter { $0.name == sample.name })"
        }
        return (compared.count, differences)
    }
}
