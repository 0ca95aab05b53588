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
    /// Waits before an endpoint is probed again.
    var pause: @Sendable (_ retry: Int) async -> Void = Prober.pause

    /// The time limit of the endpoint that never answers, which takes all of it.
    private static let silence = Duration.seconds(2)
    /// The number of times that an endpoint which met our own lateness is probed again.
    static let retries = 2

    /// Returns `pass` if every backend found the expected result, and `local-overload` if all that miss it were too late
    /// by this process's own fault.
    func run() async throws -> Outcome {
        let anchors = TrustAnchors(
            name: "the lab's CA",
            certificates: try CertificateFile.certificates(in: Array(lab.authorityPEM.utf8), from: "the lab's CA"))
        let prober = Prober(lateness: OwnLateness.meter)
        var rows: [[String]] = []
        var tables: [String] = []
        var judged: [Outcome] = []
        for endpoint in lab.endpoints {
            let results = await prober.probe(
                try check(endpoint, anchors: anchors), through: transports, resolvers: resolvers, retries: Self.retries,
                where: { $0.outcome == .localOverload }, pause: pause)
            let outcome = judge(results, of: endpoint)
            judged.append(outcome)
            let remark = remark(results, outcome)
            if endpoint.model == nil {
                rows.append([endpoint.id] + results.map(cell) + [remark])
            } else {
                tables.append(pairs(endpoint, results, remark))
            }
        }
        let table = TextTable(columns: ["ENDPOINT"] + transports.map(\.name) + ["STACKS"], rows: rows)
        Terminal.print(([table.text] + tables).joined(separator: "\n\n") + "\n")
        if judged.contains(.stacksDisagree) {
            Terminal.print("some verdicts are not what the lab was built to give")
            return .stacksDisagree
        }
        let late = judged.count { $0 == .localOverload }
        if late > 0 {
            Terminal.print(
                "no verdict about \(late) of \(judged.count) endpoints: this process was late; run it again with less to do"
            )
            return .localOverload
        }
        Terminal.print(
            "\(judged.count) endpoints, \(transports.count) TLS × \(resolvers.count) DNS backends: every verdict as expected"
        )
        return .pass
    }

    /// Returns `pass` if every result is as expected, and `local-overload` if the others met our own lateness.
    private func judge(_ results: [ProbeResult], of endpoint: LabEndpoint) -> Outcome {
        let others = results.map { ($0.verdict.outcome, expected(endpoint, of: $0)) }.filter { $0 != $1 }
        if others.isEmpty { return .pass }
        return others.allSatisfy { $0.0 == .localOverload } ? .localOverload : .stacksDisagree
    }

    /// Returns the verdict of every pair of a transport and a resolver: a model check depends on both stacks.
    private func pairs(_ endpoint: LabEndpoint, _ results: [ProbeResult], _ remark: String) -> String {
        let rows = transports.enumerated().map { index, transport in
            [transport.name] + results.dropFirst(index * resolvers.count).prefix(resolvers.count).map(cell)
        }
        let title = endpoint.id + " (\(remark))"
        return TextTable(columns: [title] + resolvers.map(\.name), rows: rows).text
    }

    private func remark(_ results: [ProbeResult], _ judged: Outcome) -> String {
        switch judged {
        case .pass: Set(results.map(cell)).count == 1 ? "alike" : "differ, as known"
        case .localOverload: "NO VERDICT"
        default: "NOT AS EXPECTED"
        }
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
        let isSilent = endpoint.reason == HandshakeFailure.Code.handshakeTimeout.rawValue
        // The others answer at once: a long limit costs nothing there, and a slow machine needs it.
        return Check(
            target: Target(name: endpoint.name, connect: endpoint.endpoint), anchors: anchors, pins: pins, model: model,
            timeout: isSilent ? Self.silence : TimeLimit.usual)
    }
}
