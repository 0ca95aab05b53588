import ProbeKit
import Testing

@testable import ProbeScan

/// The identifier of the settings by which targets were judged.
@Suite struct ScanTermsTests {
    private func terms(_ change: (inout ScanSettings) -> Void = { _ in }) -> ScanTerms {
        var settings = ScanSettings(
            timeout: .seconds(10), pinChain: "validated", trust: "both", minTLS: "1.2", serverDate: "off",
            dnssec: "off",
            concurrency: 32)
        change(&settings)
        return ScanTerms(transports: [], resolvers: [], anchors: .none, options: settings)
    }

    @Test func speedIsNotPartOfIt() {
        let fast = terms {
            $0.concurrency = 64
            $0.spacing = 1
            $0.timeout = 3
        }
        #expect(fast.id == terms().id && fast.changes(since: terms()).isEmpty)
    }

    @Test func whatDecidesIs() {
        let other = terms {
            $0.trust = "native"
            $0.model = "a"
        }
        #expect(other.id != terms().id)
        #expect(other.changes(since: terms()) == [["trust"], ["model"]])
    }
}
