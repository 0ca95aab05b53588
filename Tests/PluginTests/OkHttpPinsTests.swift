import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeTestSupport
import ProbeTrust
import Subprocess
import Testing

/// OkHttp's own `CertificatePinner` beside our reading of its pins. `make clients` builds the program that asks it.
@Suite(.bounded) struct OkHttpPinsTests {
    private struct Question: Encodable {
        struct Rule: Encodable {
            let pattern: String
            let pins: [String]
        }

        let pins: [Rule]
        let host: String
        let chain: [Data]
    }

    private struct Answer: Decodable {
        let accepted: Bool?
    }

    /// Without patterns of one label and `**.`, which OkHttp 3.13 reads otherwise than its later releases.
    private static let patterns = [
        "good.test", "*.good.test", "GOOD.test", "a.good.test", "*.a.good.test", "other.test",
    ]
    private static let hosts = ["good.test", "a.good.test", "b.a.good.test", "A.Good.TEST", "xgood.test", "other.test"]

    @Test("pairs of patterns and pins are judged as OkHttp judges them") func pairs() async throws {
        let program = URL(filePath: try await Plugin.client("okhttp", of: "okhttp"))
            .deletingLastPathComponent().appending(path: "okhttp-pins").path
        let chain = try CertificateFile.read(
            Plugin.clients.appending(path: "../../Examples/replays/2021-expired-root/chain.pem").path)
        let keys = try chain.map { certificate in
            let slices = try CertificateSlices(certificate: certificate.span)
            return SwiftCryptoDigester().sha256(Array(certificate[slices.spki]).span)
        }
        // The leaf's key, its issuer's, and one that is nowhere.
        let digests = [keys[0], keys[1], SwiftCryptoDigester().sha256([0].span)]
        var questions: [Question] = []
        for (first, second) in Self.patterns.flatMap({ one in Self.patterns.map { (one, $0) } }) {
            for (one, two) in digests.flatMap({ one in digests.map { (one, $0) } }) {
                let rules = [(first, one), (second, two)].map {
                    Question.Rule(pattern: $0.0, pins: ["sha256/\($0.1.base64)"])
                }
                questions += Self.hosts.map { Question(pins: rules, host: $0, chain: chain.map { Data($0) }) }
            }
        }
        let encoder = JSONEncoder()
        let input = try questions.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let asked = try await Subprocess.run(
            .name("sh"), arguments: [program], input: .string(input.map { "\($0)\n" }.joined()),
            output: .string(limit: 1 << 24),
            error: .string(limit: 1 << 16))
        let answers = try asked.standardOutput.split(separator: "\n").map {
            try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
        }
        try #require(answers.count == questions.count, "\(asked.standardError)")
        var refused = 0
        for (question, answer) in zip(questions, answers) {
            let ours = try Self.judgement(of: question, keys: keys)
            if !ours { refused += 1 }
            #expect(answer.accepted == ours, "\(question.pins) for \(question.host)")
        }
        // Both answers are there often enough to tell the two apart.
        #expect((100...questions.count - 100).contains(refused), "\(refused) of \(questions.count)")
    }

    /// Our reading: the pins of Kotlin's source, and whether one of the chain's keys has one of the host's.
    private static func judgement(of question: Question, keys: [PinDigest]) throws -> Bool {
        let calls = question.pins.map { ".add(\"\($0.pattern)\", \"\($0.pins[0])\")" }.joined()
        let source = "val pinner = CertificatePinner.Builder()\(calls).build()"
        let profile = try ProfileFormat.okhttp.read(Array(source.utf8), FormatContext(path: "Pins.kt")).profile
        guard let sets = profile.hosts.pins(for: try ServerName(question.host)) else { return true }
        return sets.allSatisfy { set in set.members.contains { keys.contains($0.pin.digest) } }
    }
}
