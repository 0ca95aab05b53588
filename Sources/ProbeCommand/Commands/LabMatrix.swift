import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTrust

/// Probes every endpoint of a lab through every backend and prints the matrix of verdicts.
struct LabMatrix {
    let lab: Lab
    let transports: [any Transport]
    let resolvers: [any Resolver]

    /// The time limit of one endpoint: some of them never answer.
    private static let timeout = Duration.seconds(2)

    /// Returns true if every backend found the expected result.
    func run() async throws -> Bool {
        let anchors = TrustAnchors(
            name: "the lab's CA",
            certificates: try CertificateFile.certificates(in: Array(lab.authorityPEM.utf8), from: "the lab's CA"))
        let prober = Prober()
        var rows: [[String]] = []
        var tables: [String] = []
        var isAsExpected = true
        for endpoint in lab.endpoints {
            let results = await prober.probe(
                try check(endpoint, anchors: anchors), through: transports, resolvers: resolvers)
            let isRight = results.allSatisfy { $0.verdict.outcome == expected(endpoint, of: $0) }
            isAsExpected = isAsExpected && isRight
            if endpoint.model == nil {
                rows.append([endpoint.id] + results.map(cell) + [remark(results, isRight: isRight)])
            } else {
                tables.append(pairs(endpoint, results, isRight: isRight))
            }
        }
        let table = TextTable(columns: ["ENDPOINT"] + transports.map(\.name) + ["STACKS"], rows: rows)
        Terminal.print(([table.text] + tables).joined(separator: "\n\n") + "\n")
        Terminal.print(
            isAsExpected
                ? "\(lab.endpoints.count) endpoints, \(transports.count) TLS × \(resolvers.count) DNS backends: every verdict as expected"
                : "some verdicts are not what the lab was built to give")
        return isAsExpected
    }

    /// Returns the verdict of every pair of a transport and a resolver: a model check depends on both stacks.
    private func pairs(_ endpoint: LabEndpoint, _ results: [ProbeResult], isRight: Bool) -> String {
        let rows = transports.enumerated().map { index, transport in
            [transport.name] + results.dropFirst(index * resolvers.count).prefix(resolvers.count).map(cell)
        }
        let title = endpoint.id + " (\(remark(results, isRight: isRight)))"
        return TextTable(columns: [title] + resolvers.map(\.name), rows: rows).text
    }

    private func remark(_ results: [ProbeResult], isRight: Bool) -> String {
        guard isRight else { return "NOT AS EXPECTED" }
        return Set(results.map(cell)).count == 1 ? "alike" : "differ, as known"
    }

    /// Returns the command line that probes an endpoint of a lab whose CA is in a file.
    static func arguments(_ endpoint: LabEndpoint, lab: Lab, ca: String) -> [String] {
        var arguments = ["--connect", "\(endpoint.endpoint)", "--ca", ca]
        if let pin = endpoint.pin { arguments += ["--pin", "spki@leaf:sha256:\(pin.base64)"] }
        if let model = endpoint.model {
            arguments += ["--model", model, "--model-host", Lab.modelHost, "--dns-server", "\(lab.dnsServer)"]
        }
        return arguments + [endpoint.name.description]
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
