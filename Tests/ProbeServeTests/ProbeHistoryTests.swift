import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The logs of past probes are bounded, and those of failures are not pushed out by others.
@Suite(.bounded) struct ProbeHistoryTests {
    @Test("as many bytes are kept of what fails as of what passes") func failuresStay() {
        let history = ProbeHistory(limit: 10_000)
        let text = String(repeating: "0123456789abcde\n", count: ProbeHistory.entryBytes / 16)
        for number in 0..<10 { history.add(module: "m", target: "\(number)", isSuccess: false, text: text) }
        for number in 10..<400 { history.add(module: "m", target: "\(number)", isSuccess: true, text: text) }
        let entries = history.entries
        #expect(entries.filter { !$0.isSuccess }.map(\.target) == (0..<10).reversed().map { "\($0)" })
        #expect(entries.count == ProbeHistory.totalBytes / ProbeHistory.entryBytes && entries.first?.target == "399")
    }

    @Test("logs that are kept have a limit of bytes") func history() {
        let history = ProbeHistory(limit: 1000)
        let text = String(repeating: "0123456789abcde\n", count: 1 << 17)
        for number in 0..<400 { history.add(module: "m", target: "\(number)", isSuccess: number % 2 == 0, text: text) }
        let entries = history.entries
        #expect(entries.map(\.text.utf8.count).reduce(0, +) <= ProbeHistory.totalBytes)
        #expect(entries.count > 200 && entries.first?.target == "399")
        #expect(
            entries.first?.text.hasSuffix("e\n… (\(text.utf8.count - ProbeHistory.entryBytes) bytes more)\n") == true)
        history.add(module: "m", target: "short", isSuccess: true, text: "as it is")
        #expect(history.entries.first?.text == "as it is")
    }
}
