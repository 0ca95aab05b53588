import ProbeDNS
import ProbeKit
import ProbePlatform
import ProbeReport
import ProbeRun
import Testing

/// The line that is written directly is the encoder's, byte for byte.
@Suite struct ModelLineTests {
    private static let stack = BackendIdentity(name: "ldns", library: "ldns", version: "1")

    private static func result(
        _ name: String, _ attempts: [DNSAttempt], duration: Duration = .milliseconds(3), tries: Int = 1
    ) throws -> ProbeResult {
        let name = try DNSName(name)
        let report = DNSReport(attempts: attempts)
        let reading = ModelReading(report, name: name, model: try ModelName("florida"))
        let evidence = Evidence(
            connection: nil,
            model: ModelEvidence(
                resolver: stack, model: try ModelName("florida"),
                answers: [ModelEvidence.Answer(host: name, report: report, reading: reading, duration: duration)],
                missing: []))
        let verdict = Verdict(ModelListed(try ModelName("florida")).judge(evidence, at: .distantPast))
        return ProbeResult(subject: name.description, evidence: evidence, verdict: verdict)
    }

    private static func attempt(
        _ name: String, reply: [UInt8]?, dropped: [String] = [], failure: DNSFailure? = nil,
        dnssec: DNSSECState? = nil, edns: UInt16? = 1232, duration: Duration = .microseconds(137)
    ) -> DNSAttempt {
        DNSAttempt(
            server: "127.0.0.1:53", channel: .udp, ednsSize: edns, id: 7, reply: reply, dropped: dropped,
            native: reply.map { _ in .unreadable("a \"quoted\" \\ reason\n/é") }, dnssec: dnssec, failure: failure,
            duration: duration)
    }

    /// A reply with one record of these strings.
    private static func reply(_ name: DNSName, _ strings: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [0, 7, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0] + name.wireBytes + [0, 16, 0, 1]
        let data = strings.flatMap { [UInt8($0.count)] + $0 }
        bytes += [0xc0, 12, 0, 16, 0, 1, 0, 0, 14, 16, UInt8(data.count >> 8), UInt8(data.count & 0xff)] + data
        return bytes
    }

    @Test func theEncoderWritesTheSame() throws {
        let name = try DNSName("models.test")
        let listed = Self.reply(name, [Array("dc,florida".utf8)])
        let odd = Self.reply(name, [Array("\"dc\\".utf8), [0, 255, 10]])
        let results = [
            try Self.result("models.test", [Self.attempt("models.test", reply: listed)]),
            try Self.result("models.test", [Self.attempt("models.test", reply: odd, dnssec: .secure)]),
            try Self.result("models.test", [Self.attempt("models.test", reply: Array(listed.dropLast(3)))]),
            try Self.result("models.test", [Self.attempt("models.test", reply: [1, 2, 3], edns: nil)]),
            try Self.result(
                "xn--bcher-kva.test",
                [
                    Self.attempt(
                        "x", reply: nil, dropped: ["wrong id", "a \"b\" \u{1}"],
                        failure: DNSFailure(.timeout, "no reply came in time")),
                    Self.attempt("x", reply: nil, failure: DNSFailure(.refused, "é/\\"), duration: .seconds(2)),
                ], duration: .seconds(10)),
            try Self.result("models.test", [], duration: .zero),
            try Self.result("models.test", [Self.attempt("models.test", reply: listed, duration: .nanoseconds(10))]),
        ]
        for result in results {
            for line in [nil, 12] {
                let place = ModelLine.Place(id: "00ff", line: line, result: 1, results: 4)
                var bytes: [UInt8] = Array("before".utf8)
                ModelLine(result, place).append(to: &bytes)
                #expect(
                    String(decoding: bytes, as: UTF8.self)
                        == "before" + JSONText.line(EncodedModelLine(result, place)))
            }
        }
    }
}
