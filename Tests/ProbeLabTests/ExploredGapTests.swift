import ProbeKit
import ProbeTrust
import Testing

@testable import ProbeLab

/// Chains that an exploration found the reference to accept, or to refuse for a wrong cause.
@Suite struct ExploredGapTests {
    private func readings(of rule: String) async -> [TrustReading] {
        var readings: [TrustReading] = []
        for shape in ChainShape.allCases {
            guard let chain = ExploredChain(shape, [.init(rule: rule, seed: 0)]) else { continue }
            readings.append(await ReferenceVerifier().evaluate(chain.question))
        }
        return readings
    }

    @Test(
        "certificates that break their form are malformed, and nothing else",
        arguments: [
            "leaf/ends-with-fraction", "leaf/ends-second-60", "leaf/ends-february-29", "leaf/ends-with-offset",
            "leaf/signature-unused-bits", "leaf/unique-malformed", "leaf/unique-constructed",
            "leaf/subject-two-in-a-set", "leaf/signed-ecdsa-with-null", "issuer/ends-with-fraction",
            "issuer/signature-unused-bits", "issuer/unique-malformed", "leaf/version-2", "issuer/version-2",
        ])
    func brokenForms(_ rule: String) async {
        let readings = await readings(of: rule)
        #expect(!readings.isEmpty, "\(rule) applies to no chain")
        for reading in readings {
            #expect(reading.cause == .malformed, "\(rule): \(reading.problems.map(\.message))")
        }
    }

    /// The parser's errors end with a place in its sources.
    @Test(arguments: ChainRule.all.map(\.name).filter { $0.contains("malformed") || $0.hasSuffix("-longer") })
    func noProblemNamesASource(_ rule: String) async {
        for reading in await readings(of: rule) {
            #expect(!reading.problems.contains { $0.message.contains(".swift:") }, "\(reading.problems.map(\.message))")
        }
    }

    @Test(
        "right unique identifiers and times are read",
        arguments: ["leaf/unique-both", "leaf/ends-generalized", "root/version-2"])
    func rightForms(_ rule: String) async {
        for reading in await readings(of: rule) { #expect(reading.isAccepted, "\(rule): \(reading.problems)") }
    }

    @Test("a compressed point is still a weak key") func compressedPoint() async {
        for reading in await readings(of: "leaf/key-compressed") {
            #expect(reading.cause == .weakKey, "\(reading.problems.map(\.message))")
        }
    }
}
