import Foundation
import ProbeKit
import ProbeLab
import ProbeReport
import ProbeRun
import ProbeTrust
import Testing

/// Reports are written twice: by `Codable`, which defines what is in them, and straight as bytes, which is what is printed.
@Suite struct JSONWriterTests {
    private struct Text: JSONWritable {
        let text: String
        @Always var number: Double?

        func write(to json: inout JSONWriter) {
            json.object {
                $0.field("number", number)
                $0.field("text", text)
            }
        }
    }

    private static let texts: [String] =
        (0...0x7f).map { "a\(Unicode.Scalar(UInt8($0)))b" }
        + ["", "/", "\"\\", "é", "日本", "👩‍👩‍👧", "\u{2028}\u{feff}", "a\r\nb", "\u{7f}\u{80}"]

    @Test(arguments: texts) func stringsAreEscapedAlike(text: String) {
        #expect(JSONWriter.line(Text(text: text)) == JSONText.line(Text(text: text)))
    }

    @Test(
        arguments: [0, -0.0, 1, 10, 0.1, 1e-7, 7.33e-05, 1e15, 1e16, 1e21, 1e300, -2.5, 1 / 3, .leastNonzeroMagnitude]
            as [Double])
    func numbersAreWrittenAlike(number: Double) {
        #expect(JSONWriter.line(Text(text: "", number: number)) == JSONText.line(Text(text: "", number: number)))
    }

    /// A report in which each field is now there and now not.
    private struct Generator {
        var numbers: SeededNumbers
        static let identities = LabIdentityName.allCases.compactMap { try? TestConnection.pki.identity($0).chain }

        mutating func maybe<Value>(_ make: (inout Generator) -> Value) -> Value? {
            numbers.below(3) == 0 ? nil : make(&self)
        }

        mutating func one<Value>(of values: [Value]) -> Value { values[numbers.below(values.count)] }

        mutating func some<Value>(_ make: (inout Generator) -> Value) -> [Value] {
            (0..<numbers.below(4)).map { _ in make(&self) }
        }

        mutating func text() -> String { one(of: JSONWriterTests.texts) }
        mutating func duration() -> Duration { .nanoseconds(numbers.below(1 << 40)) }
        mutating func bytes() -> [UInt8] { (0..<numbers.below(40)).map { _ in UInt8(numbers.below(256)) } }
        mutating func name() throws -> DNSName { try DNSName("models.test") }

        mutating func reading(of chain: [[UInt8]]) -> TrustReading {
            let problems = some {
                TrustReading.Problem(
                    $0.one(of: TrustCause.allCases), $0.text(), nativeCode: $0.maybe { $0.text() },
                    depth: $0.maybe { $0.numbers.below(4) })
            }
            let reading = problems.isEmpty ? TrustReading.accepted(path: maybe { _ in chain }) : .refused(problems)
            return maybe { _ in reading.judgingRevocation } ?? reading
        }

        mutating func handshake(_ chain: [[UInt8]]) -> HandshakeReport {
            var report = HandshakeReport()
            report.chain = chain
            report.peerAddress = maybe { $0.text() }
            report.sniSent = maybe { $0.text() }
            report.version = maybe { $0.one(of: TLSVersion.allCases) }
            report.cipherSuite = maybe { $0.text() }
            report.group = maybe { $0.text() }
            report.alpn = maybe { $0.text() }
            report.ocspStaple = maybe { $0.bytes() }
            report.handshakeSCTs = some { $0.bytes() }
            report.clientCertificateRequested = maybe { $0.numbers.below(2) == 0 }
            report.clientCertificateRequestedLate = maybe { $0.numbers.below(2) == 0 }
            report.clientCertificateSent = maybe { $0.numbers.below(2) == 0 }
            report.clientCertificateIssuers = some { $0.bytes() }
            report.nativeTrust = maybe { $0.reading(of: chain) }
            report.timings.connect = maybe { $0.duration() }
            report.timings.dialogue = maybe { $0.duration() }
            report.timings.handshake = maybe { $0.duration() }
            report.timings.trust = maybe { $0.duration() }
            report.http = maybe {
                HTTPReport(
                    .response(.init(version: $0.text(), status: $0.numbers.below(600), date: $0.some { $0.text() })))
            }
            report.failure = maybe {
                HandshakeFailure(
                    $0.one(of: HandshakeFailure.Code.allCases), $0.text(), nativeCode: $0.maybe { $0.text() },
                    alert: $0.maybe { HandshakeFailure.Alert(rawValue: UInt8($0.numbers.below(256))) })
            }
            return report
        }

        mutating func connection() throws -> ConnectionEvidence {
            let chain = maybe { $0.one(of: Self.identities) } ?? []
            let anchors = maybe { _ in try? TestConnection.pki.anchors() } ?? nil
            var connection = ConnectionEvidence(
                transport: BackendIdentity(name: text(), library: "", version: ""), report: handshake(chain),
                missing: [],
                certificates: chain.map {
                    CertificateEvidence(der: $0, source: .presented, stackKey: .spki(bytes()))
                } + some { CertificateEvidence(der: $0.bytes(), source: .anchor, stackKey: .unreadable("")) },
                referenceTrust: maybe { $0.reading(of: chain) }, anchors: anchors ?? .none,
                instant: TestConnection.pki.epoch.addingTimeInterval(Double(numbers.below(1 << 30)) / 7),
                serverTime: maybe {
                    $0.maybe { _ in .known(TestConnection.pki.epoch, skew: -3) } ?? .unknown($0.text())
                })
            let target = try Target("good.test")
            connection.attempts = some {
                ConnectionAttempt(
                    target: target, failure: $0.maybe { HandshakeFailure(.notTLS, $0.text()) })
            }
            return connection
        }

        mutating func model() throws -> ModelEvidence {
            let (name, rich) = (try name(), try LabReply.rich())
            let answers = some { generator in
                let attempts = generator.some {
                    DNSAttempt(
                        server: $0.text(), channel: $0.one(of: [.udp, .tcp, .https, .unknown]),
                        ednsSize: $0.maybe { _ in 1232 }, id: LabReply.id,
                        reply: $0.maybe { $0.maybe { _ in rich } ?? $0.bytes() }, dropped: $0.some { $0.text() },
                        native: nil, dnssec: $0.maybe { $0.one(of: [.secure, .insecure, .bogus("x")]) },
                        failure: $0.maybe {
                            DNSFailure($0.one(of: DNSFailure.Code.allCases), $0.text())
                        }, duration: $0.duration())
                }
                return ModelEvidence.Answer(
                    host: name, report: DNSReport(attempts: attempts), reading: .readingsDisagree(""),
                    duration: generator.duration())
            }
            return ModelEvidence(
                resolver: BackendIdentity(name: text(), library: "", version: ""), model: nil, answers: answers,
                missing: [])
        }

        mutating func finding() -> Finding {
            let (message, fix) = (text(), Fix(text()))
            switch numbers.below(3) {
            case 0: return .error(one(of: Outcome.allCases), stage: .tls, message, fix: fix)
            case 1: return .warning(text(), stage: .pins, message, fix: fix)
            default: return .note(text(), stage: .dns, message)
            }
        }

        mutating func result() throws -> ProbeResult {
            let findings = some { $0.finding() }
            let connection = try numbers.below(5) == 0 ? nil : self.connection()
            let model = try numbers.below(2) == 0 ? nil : self.model()
            var result = ProbeResult(
                subject: text(), service: maybe { $0.text() }, trust: one(of: TrustMode.allCases),
                evidence: Evidence(connection: connection, model: model), verdict: Verdict(findings))
            result.tries = 1 + numbers.below(3)
            return result
        }
    }

    @Test(arguments: 0..<300) func reportsAreWrittenAlike(seed: UInt64) throws {
        var generator = Generator(numbers: SeededNumbers(seed: seed))
        let line = ReportLine(try generator.result())
        #expect(line.json == JSONText.line(line))
    }
}
