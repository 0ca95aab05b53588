import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeRun
import ProbeTestSupport
import Synchronization

@testable import ProbeCommand

/// One command line that was run within this process, over backends that record their requests.
struct SweepRun {
    let arguments: [String]
    let code: Int32
    let output: String
    let errors: String
    let requests: Recorder.Requests

    /// The output's lines as JSON objects.
    var lines: [[String: Any]] {
        output.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// The findings of all lines, and of the clients in a fleet's.
    var findings: [[String: Any]] {
        (lines + lines.flatMap { $0["clients"] as? [[String: Any]] ?? [] }).flatMap {
            $0["findings"] as? [[String: Any]] ?? []
        }
    }

    /// True if the input was rejected; a lint whose findings are errors ends with 65 too.
    var isRefused: Bool {
        code == 64 || code == 65 && !lines.contains { $0["schema"] as? String == "probe-lint/1" }
    }

    /// Returns true if the errors name an option, and not only one whose name is longer.
    func names(_ option: String) -> Bool {
        errors.ranges(of: option).contains { range in
            guard range.upperBound < errors.endIndex else { return true }
            let next = errors[range.upperBound]
            return next != "-" && !next.isLetter
        }
    }

    /// Returns true if a finding has a code.
    func finds(_ code: String) -> Bool { findings.contains { $0["code"] as? String == code } }

    /// Returns true if there are handshakes, and all satisfy the predicate.
    func handshakes(_ predicate: (HandshakeRequest) -> Bool) -> Bool {
        !requests.handshakes.isEmpty && requests.handshakes.allSatisfy { predicate($0.request) }
    }

    /// Returns true if there are queries, and all satisfy the predicate.
    func queries(_ predicate: (DNSQuery) -> Bool) -> Bool {
        !requests.queries.isEmpty && requests.queries.allSatisfy { predicate($0.query) }
    }

    /// A policy that only reports that it was asked.
    private struct Named: Policy {
        let name: String
        func judge(_ evidence: Evidence, at instant: Date) -> [Finding] { [.note(name, stage: .tls, "it was asked")] }
    }

    /// Runs a command line.
    static func run(
        _ arguments: [String], chain: [[UInt8]], lacking: Set<TransportCapability> = [],
        lackingDNS: Set<ResolverCapability> = []
    ) async throws -> SweepRun {
        let recorder = Recorder()
        let backends = try Backends(
            transports: [
                RecordingTransport(name: "one", chain: chain, recorder: recorder),
                RecordingTransport(name: "two", chain: chain, recorder: recorder, lacking: lacking),
            ],
            resolvers: [
                RecordingResolver(name: "first", recorder: recorder),
                RecordingResolver(name: "second", recorder: recorder, lacking: lackingDNS),
            ], digesters: [],
            validators: [
                RecordingValidator(name: "one", recorder: recorder),
                RecordingValidator(name: "two", recorder: recorder),
            ], identities: RecordingIdentities(),
            policies: try NamedPolicies.all.adding([
                "sweep-a": Named(name: "sweep-a"), "sweep-b": Named(name: "sweep-b"),
            ]),
            lookup: HostLookup { _ in
                .success(["192.0.2.1", "2001:db8::1", "192.0.2.2", "2001:db8::2"].compactMap(IPAddress.init))
            }, records: SweptRecords())
        let written = Mutex<[CInt: [UInt8]]>([:])
        let code = await Terminal.$gathering.withValue(
            Terminal.Gathering { bytes, descriptor in
                written.withLock { $0[descriptor, default: []] += bytes }
            }
        ) {
            // Tests beside this one keep event loops busy on purpose.
            await OwnLateness.$meter.withValue(GivenLateness([.zero])) {
                await ProbeCommand.run(arguments, backends: backends)
            }
        }
        let texts = written.withLock { $0.mapValues { String(decoding: $0, as: UTF8.self) } }
        return SweepRun(
            arguments: arguments, code: code, output: texts[1] ?? "", errors: texts[2] ?? "",
            requests: recorder.requests)
    }
}
