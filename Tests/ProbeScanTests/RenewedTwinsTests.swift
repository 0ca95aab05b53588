import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeScan

/// The results of a target that a list names twice, after its client certificate was renewed.
@Suite(.bounded) struct RenewedTwinsTests {
    private static let old = String(repeating: "a", count: 32)
    private static let new = String(repeating: "a", count: 16) + String(repeating: "b", count: 16)

    private static func line(_ id: String, _ outcome: Outcome, isRetry: Bool = false) -> String {
        #"{"outcome":"\#(outcome.rawValue)","scan":{"id":"\#(id)","result":1,"results":1,"retry":\#(isRetry),"#
            + #""clientCertificate":"\#(id)"},"schema":"probe/1","target":"a.test:443"}"#
    }

    @Test(
        "each replaces a result of the earlier certificate",
        arguments: [
            [Outcome.unreachable, .unreachable], [.unreachable, .pass], [.pass, .unreachable], [.pass, .pass],
        ])
    func renewed(outcomes: [Outcome]) async throws {
        try await ScratchFolder.with { folder in
            let lines =
                [Outcome.unreachable, .pass].map { Self.line(Self.old, $0) }
                + outcomes.map { Self.line(Self.new, $0, isRetry: true) }
            let path = "\(folder)/out.jsonl"
            try lines.map { "\($0)\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
            let file = try ResumeFile(path, named: path)
            let earlier = try await file.done()
            #expect(earlier.tally.targets == 2 && earlier.tally.results == 2)
            for outcome in Set(outcomes) {
                let count = outcomes.filter { $0 == outcome }.count
                #expect(earlier.tally.outcomes[outcome.rawValue] == count, "\(outcome)")
            }
            let id = try #require(ScanID(Self.new))
            var done = earlier.targets
            let renewable = done.takeRenewed(id)
            #expect(renewable == nil)
            let taken = (1...3).map { _ in done.take(id) }
            #expect(taken == [true, true, false])
            #expect(done.count(of: nil) == 0)
        }
    }
}
