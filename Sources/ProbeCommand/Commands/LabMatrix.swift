import ProbeKit
import ProbeLab

/// Probes every endpoint of a lab through every backend and prints the matrix of verdicts.
struct LabMatrix {
    let lab: Lab
    let transports: [any Transport]
    let resolvers: [any Resolver]

    /// The most one endpoint may take: some of them never answer.
    private static let timeout = Duration.seconds(2)

    /// Returns whether every backend found what is there.
    func run() async throws -> Bool {
        let anchors = TrustAnchors(
            name: "the lab's CA",
            certificates: try CertificateFile.certificates(in: Array(lab.authorityPEM.utf8), from: "the lab's CA"))
        let prober = Prober()
        var rows: [[String]] = []
        var isAsExpected = true
        for endpoint in lab.endpoints {
            let results = await prober.probe(
                try check(endpoint, anchors: anchors), through: transports, resolvers: resolvers)
            let cells = results.map(cell)
            let surprise = results.first { $0.verdict.outcome != expected(endpoint, of: $0) }
            isAsExpected = isAsExpected && surprise == nil
            let verdict = Set(cells).count == 1 ? "alike" : "DIFFERENT, as known"
            let remark = surprise.map { "NOT \(expected(endpoint, of: $0).rawValue)" } ?? verdict
            rows.append([endpoint.id] + columns(results, cells) + [remark])
        }
        Terminal.print(TextTable(columns: ["ENDPOINT"] + header + ["BACKENDS"], rows: rows).text)
        Terminal.print("")
        Terminal.print(
            isAsExpected
                ? "\(rows.count) endpoints, \(header.count) combinations of backends: every verdict as expected"
                : "some verdicts are not what the lab was built to give")
        return isAsExpected
    }

    /// The command line that probes an endpoint of a lab whose CA is in a file.
    static func arguments(_ endpoint: LabEndpoint, lab: Lab, ca: String) -> [String] {
        var arguments = ["--connect", "\(endpoint.endpoint)", "--ca", ca]
        if let pin = endpoint.pin { arguments += ["--pin", "spki@leaf:sha256:\(pin.base64)"] }
        if let model = endpoint.model {
            arguments += ["--model", model, "--model-host", Lab.modelHost, "--dns-server", "\(lab.dnsServer)"]
        }
        return arguments + [endpoint.name.description]
    }

    private var header: [String] {
        transports.flatMap { transport in resolvers.map { "\(transport.identity.name)+\($0.identity.name)" } }
    }

    /// One cell for each column: without a model check one result stands for all resolvers of its transport.
    private func columns(_ results: [ProbeResult], _ cells: [String]) -> [String] {
        guard results.count < header.count else { return cells }
        return cells.flatMap { Array(repeating: $0, count: resolvers.count) }
    }

    private func expected(_ endpoint: LabEndpoint, of result: ProbeResult) -> Outcome {
        let transport = result.evidence.connection?.transport.name
        return transport.flatMap { endpoint.deviations[$0] } ?? endpoint.expected
    }

    private func cell(_ result: ProbeResult) -> String {
        let outcome = result.verdict.outcome
        guard let code = result.verdict.decidingFinding?.code, code != outcome.rawValue else { return outcome.rawValue }
        return "\(outcome.rawValue): \(code)"
    }

    private func check(_ endpoint: LabEndpoint, anchors: TrustAnchors) throws(InputError) -> Check {
        var model: ModelCheck?
        if let name = endpoint.model {
            model = ModelCheck(
                model: try ModelName(name), hosts: [try DNSName(Lab.modelHost)], servers: [lab.dnsServer],
                httpsServers: [lab.dohServer])
        }
        let pins = endpoint.pin.map { [PinGroup([Pin(kind: .spki, digest: $0)], position: .leaf)] } ?? []
        return Check(
            target: Target(name: endpoint.name, connect: endpoint.endpoint), anchors: anchors, pins: pins, model: model,
            timeout: Self.timeout)
    }
}
