import ProbeKit
import ProbeTestSupport
import Testing

/// Numbers with their nouns.
@Suite(.bounded) struct CountTextTests {
    @Test(arguments: [(0, "0 successes", "0 pins"), (1, "1 success", "1 pin"), (2, "2 successes", "2 pins")])
    func counts(_ number: Int, _ successes: String, _ pins: String) {
        #expect(number.counted("success", plural: "successes") == successes)
        #expect(number.counted("pin") == pins)
    }
}
