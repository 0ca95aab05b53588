import Foundation
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeServe

/// The parts of a scraper's request.
@Suite(.bounded) struct RequestTests {
    @Test(
        arguments: [
            (nil, nil, Duration.seconds(119.5)), ("10", nil, .seconds(9.5)), ("10", .seconds(5), .seconds(5)),
            ("3", .seconds(5), .seconds(2.5)), ("0", .seconds(200), .seconds(119.5)), ("0.4", .seconds(5), .seconds(5)),
        ] as [(String?, Duration?, Duration)])
    func timeouts(header: String?, module: Duration?, expected: Duration) throws {
        #expect(try ScrapeTimeout.limit(header: header, offset: .seconds(0.5), module: module) == expected)
    }

    @Test(arguments: ["x", "-1", "nan", "inf", "1e9", "0.4"]) func faultyTimeouts(header: String) {
        #expect(throws: ServeRefusal.self) {
            try ScrapeTimeout.limit(header: header, offset: .seconds(0.5), module: nil)
        }
    }

    @Test func parameters() throws {
        let parameters = try QueryParameters("target=a%3A1&module=b+c&target=second&empty=&flag&%61=x%2By")
        #expect(parameters["target"] == "a:1" && parameters["module"] == "b c" && parameters["a"] == "x+y")
        #expect(parameters["empty"] == nil && parameters["flag"] == nil && parameters["none"] == nil)
        #expect(throws: ServeRefusal.self) { try QueryParameters("target=%zz") }
    }

    @Test("no more probes run at once than there are places, and all get one") func slots() async throws {
        let slots = ProbeSlots(3)
        let load = Load()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try? await slots.run(by: .after(.seconds(1800))) { () async throws(ServeRefusal) in
                        load.begin()
                        await Task.yield()
                        load.end()
                    }
                }
            }
        }
        #expect(load.most <= 3 && load.done == 200)
        #expect(slots.load == (0, 0))
    }

    @Test("who gets no place until the deadline is refused, and takes none") func slotsAreGivenUp() async throws {
        let slots = ProbeSlots(1)
        let refusal = try await slots.run(by: .after(.seconds(1800))) { () async throws(ServeRefusal) in
            do throws(ServeRefusal) {
                try await slots.run(by: .after(.milliseconds(1))) { () async throws(ServeRefusal) in }
                return nil as ServeRefusal?
            } catch {
                return error
            }
        }
        #expect(refusal?.status == .busy)
        #expect(slots.load == (0, 0))
    }

    @Test(
        "a server is not blamed for the time that its probe waited for a place",
        arguments: [
            (HandshakeFailure.Code.connectTimeout, 2500, true), (.handshakeTimeout, 800, true),
            (.connectTimeout, 100, false), (.connectionRefused, 2500, false),
        ])
    func waitedForAPlace(code: HandshakeFailure.Code, milliseconds: Int, isBlamed: Bool) {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "openssl", library: "OpenSSL", version: "3"),
            report: HandshakeReport(failure: HandshakeFailure(code, "it failed")), missing: [], certificates: [],
            referenceTrust: nil, anchors: .none, instant: .now)
        var answer = ProbeAnswer()
        answer.add([
            ProbeResult(
                subject: "good.test", evidence: Evidence(connection: connection, model: nil), verdict: Verdict([]))
        ])
        #expect(answer.wouldBlame(afterWaiting: .milliseconds(milliseconds), of: .seconds(3)) == isBlamed)
    }

    @Test("an answer without a verdict has the reason") func lateness() {
        var answer = ProbeAnswer()
        answer.fail("the name has no address")
        #expect(answer.lateness == nil)
        answer.fail(HandshakeFailure(.localOverload, "no file is left", nativeCode: "errno 24"))
        #expect(answer.lateness == "no file is left (errno 24)")
    }

    @Test("nor is the server of a model, for the time its probe waited") func modelWaitedForAPlace() throws {
        let silent = ModelEvidence.Answer(
            host: try DNSName("models.test"), report: DNSReport(attempts: []),
            reading: .indeterminate(.unanswered(DNSFailure(.timeout, "it failed"))), duration: .zero)
        let model = ModelEvidence(
            resolver: BackendIdentity(name: "ldns", library: "ldns", version: "1"), model: try ModelName("a"),
            answers: [silent],
            missing: [])
        var answer = ProbeAnswer()
        answer.add([
            ProbeResult(
                subject: "good.test", evidence: Evidence(connection: nil, model: model), verdict: Verdict([]))
        ])
        #expect(answer.wouldBlame(afterWaiting: .seconds(2), of: .seconds(3)))
        #expect(!answer.wouldBlame(afterWaiting: .milliseconds(100), of: .seconds(3)))
    }

    @Test("who is cancelled waits for no place, and takes none") func slotsOfTheCancelled()
        async throws
    {
        let slots = ProbeSlots(1)
        try await slots.run(by: .after(.seconds(1800))) { () async throws(ServeRefusal) in
            let waiting = Task {
                try await slots.run(by: .after(.seconds(1800))) { () async throws(ServeRefusal) in }
            }
            while slots.load.waiting == 0 { await Task.yield() }
            waiting.cancel()
            let result = await waiting.result
            #expect(throws: ServeRefusal.self) { try result.get() }
        }
        #expect(slots.load == (0, 0))
    }

    @Test("of what passes and of what fails as much is kept") func history() {
        let history = ProbeHistory(limit: 2)
        for number in 1...6 { history.add(module: "m", target: "\(number)", isSuccess: number > 2, text: "") }
        #expect(history.entries.map(\.target) == ["6", "5", "2", "1"])
        #expect(history[1]?.target == "1" && history[3] == nil)
    }

    @Test func pagesShowTextsAsText() {
        let entry = ProbeHistory.Entry(id: 1, module: "<m>", target: "\"'&", isSuccess: false, text: "")
        let page = StatusPage(
            plan: .none, board: WatchBoard(nil), history: [entry], now: Date(timeIntervalSince1970: 0)
        ).text
        #expect(page.contains("&lt;m&gt;") && page.contains("&quot;&#39;&amp;") && !page.contains("<m>"))
    }
}

/// The work in progress, the most at once, and the work done.
private final class Load: Sendable {
    private let counts = Mutex((now: 0, most: 0, done: 0))

    var most: Int { counts.withLock { $0.most } }
    var done: Int { counts.withLock { $0.done } }

    func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) } }
    func end() { counts.withLock { $0 = ($0.now - 1, $0.most, $0.done + 1) } }
}
