import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeServe

/// Targets that are asked in rounds: scrapes and the page have the last verdict.
@Suite(.bounded) struct WatchRoundsTests {
    private static let pki = LabPKI(epoch: .now)

    /// Documents in memory, as a store keeps them.
    private final class Documents: Sendable {
        let kept = Mutex<[String: Data]>([:])

        var memory: WatchMemory {
            WatchMemory {
                self.kept.withLock { $0 }
            } keep: { name, content in
                self.kept.withLock { $0[name] = content }
            } forget: { names in
                self.kept.withLock { kept in for name in names { kept[name] = nil } }
            }
        }
    }

    private static func configuration(_ endpoint: Endpoint) -> String {
        """
        modules:
          tls: {prober: tcp, timeout: 60s, tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: good.test}}}
        watch:
          every: 1h
          targets: [{module: tls, target: "\(endpoint)"}]
        """
    }

    @Test("a scrape has the last verdict, and a server that starts again too") func lastVerdict() async throws {
        let documents = Documents()
        let files = ["ca.pem": try Self.pki.rootPEM()]
        let target = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let endpoint = peer.endpoint
            try await ServerUnderTest.run(Self.configuration(endpoint), files: files, memory: documents.memory) {
                server in
                while documents.kept.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(20)) }
                let hellos = peer.clientHellos.count
                for _ in 0..<3 {
                    let answer = try await server.probe("tls", "\(endpoint)")
                    #expect(answer["probe_success"] == 1)
                    #expect(answer["probe_watch_timestamp_seconds"].map { $0 > 1_000_000_000 } == true)
                }
                let unasked = try await server.ask("/").text
                #expect(
                    unasked.contains("<p>None yet: scrapes of the targets above get the verdicts of the watch.</p>"))
                #expect(peer.clientHellos.count == hellos, "the target was asked by a scrape")
                // Steps for a person are those of a probe of its own.
                #expect(try await server.probe("tls", "\(endpoint)", "&debug=true").status == 200)
                #expect(peer.clientHellos.count > hellos)
                let own = try await server.ask("/metrics")
                #expect(own["probe_serve_probes_total{module=\"tls\",result=\"passed\",asker=\"watch\"}"] == 1)
                let page = try await server.ask("/").text
                #expect(page.contains("<span class=\"mark pass\">pass</span> \(endpoint)"), "\(page)")
                #expect(page.contains(">openssl</th>") && page.contains(">gnutls</th>") && page.contains("days left"))
            }
            return endpoint
        }
        // The target is gone, and only what was kept can answer.
        try await ServerUnderTest.run(Self.configuration(target), files: files, memory: documents.memory) { server in
            while try await !server.ask("/").text.contains("mark pass") {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await server.probe("tls", "\(target)")["probe_success"] == 1)
        }
    }

    @Test("a watched target that may not be dialled is refused to whoever asks") func refused() async throws {
        let configuration = """
            modules: {tls: {prober: tcp, tcp: {tls: true}}}
            watch: {every: 1h, targets: [{module: tls, target: "10.0.0.5:443"}]}
            """
        try await ServerUnderTest.run(configuration) { server in
            while try await !server.ask("/").text.contains("not public") {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await server.probe("tls", "10.0.0.5:443").status == 403)
        }
    }

    @Test("a refused target is reported once, and again after it was asked or left the plan") func refusals() {
        let reports = Mutex<[String]>([])
        let refused = RefusedTargets { text in reports.withLock { $0.append(text) } }
        let item = WatchPlan.Item(module: "tls", target: "a.test:443", hostname: "b.test")
        let (first, second) = (
            ServeRefusal(.forbidden, "10.0.0.5 is not public"), ServeRefusal(.badRequest, "no\nname")
        )
        for refusal in [first, second, nil, second, second] { refused.take(item, refusal) }
        let prefix = "the watched target 'a.test:443 as b.test' of the module 'tls' is refused: "
        #expect(reports.withLock { $0 } == [prefix + "10.0.0.5 is not public", prefix + #"no\u{a}name"#])
        refused.settle(on: WatchPlan(every: .seconds(1), items: [item]))
        refused.take(item, first)
        #expect(reports.withLock { $0.count } == 2)
        refused.settle(on: .none)
        refused.take(item, first)
        #expect(reports.withLock { $0.count } == 3)
    }

    private func result(_ findings: [Finding], of service: String = "api") -> ProbeResult {
        ProbeResult(
            subject: "a.test", service: service, trust: .both, evidence: Evidence(connection: nil, model: nil),
            verdict: Verdict(findings))
    }

    @Test("what changed is kept with its time, the last first, and not without end") func changes() throws {
        let fault = Finding.error(.pinMismatch, code: "pin-mismatch", stage: .pins, "another key", fix: "add its pin")
        var state: WatchedState?
        for number in 0..<60 {
            var answer = ProbeAnswer()
            // It changes every second time.
            answer.add([result(number % 4 < 2 ? [] : [fault])])
            state = WatchedState(answer, at: Date(timeIntervalSince1970: Double(number)), after: state)
        }
        let last = try #require(state)
        #expect(last.changes.count == 30)
        #expect(last.changes[0].time == Date(timeIntervalSince1970: 58))
        #expect(last.changes[0].from == .pass && last.changes[0].to == .pinMismatch)
        #expect(last.changes.last?.from == nil)
        #expect(last.stacks.first?.fix == "add its pin" && !last.isSuccess)
        for number in 60..<200 {
            var answer = ProbeAnswer()
            answer.add([result(number.isMultiple(of: 2) ? [] : [fault])])
            state = WatchedState(answer, at: Date(timeIntervalSince1970: Double(number)), after: state)
        }
        #expect(state?.changes.count == 50)
    }

    @Test("a server that fails in turns is one change, as for a watch on the command line") func turns() throws {
        var state: WatchedState?
        for number in 0..<20 {
            var answer = ProbeAnswer()
            let code = number.isMultiple(of: 2) ? "connection-refused" : "timeout"
            answer.add([result([.error(.unreachable, code: code, stage: .connect, "it fails", fix: "start it")])])
            state = WatchedState(answer, at: Date(timeIntervalSince1970: Double(number)), after: state)
        }
        #expect(state?.changes.map(\.time.timeIntervalSince1970) == [0])
        #expect(state?.stacks.first?.code == "timeout", "the last failure is shown")
        var answer = ProbeAnswer()
        answer.add([result([.error(.dnsIndeterminate, code: "timeout", stage: .dns, "it fails", fix: "start it")])])
        state = WatchedState(answer, at: Date(timeIntervalSince1970: 20), after: state)
        #expect(state?.changes.map(\.to) == [.dnsIndeterminate, .unreachable])
    }

    @Test("a refusal that the server calls temporary is of the same kind as a silence") func temporaryRefusals() throws
    {
        var state: WatchedState?
        for (second, outcomeClass) in [OutcomeClass.transient, nil, .transient].enumerated() {
            var answer = ProbeAnswer()
            let refusal = Finding.error(
                .handshakeFailed, class: outcomeClass, code: "starttls-refused", stage: .tls, "it refuses", fix: "wait")
            let silence = Finding.error(.unreachable, code: "timeout", stage: .connect, "it fails", fix: "start it")
            answer.add([result([second == 1 ? silence : refusal])])
            state = WatchedState(answer, at: Date(timeIntervalSince1970: Double(second)), after: state)
            let kept = try JSONEncoder().encode(state)
            state = try JSONDecoder().decode(WatchedState.self, from: kept)
        }
        #expect(state?.changes.map(\.to) == [.handshakeFailed])
    }

    @Test("a service that a reload took out is not one that could not be asked") func takenOut() {
        var answer = ProbeAnswer()
        answer.add([result([]), result([], of: "extra")])
        let before = WatchedState(answer, at: Date(timeIntervalSince1970: 1), after: nil)
        var failure = ProbeAnswer()
        failure.fail("no address")
        let after = WatchedState(failure, at: Date(timeIntervalSince1970: 2), after: before, asking: ["api "])
        #expect(after.unasked?.map(\.name) == ["api "])
        #expect(after.changes.map(\.stack).prefix(1) == ["api "] && after.changes.count == 3)
    }

    @Test("a failure that no stack has is a change, and so is its end") func failuresWithoutStacks() throws {
        func state(_ isReached: Bool, at second: Double, after before: WatchedState?) -> WatchedState {
            var answer = ProbeAnswer()
            if isReached { answer.add([result([])]) } else { answer.fail("no address") }
            return WatchedState(answer, at: Date(timeIntervalSince1970: second), after: before)
        }
        var last: WatchedState?
        for (second, isReached) in [true, false, false, true, false, true].enumerated() {
            let state = state(isReached, at: Double(second), after: last)
            let data = try JSONEncoder().encode(state)
            last = try JSONDecoder().decode(WatchedState.self, from: data)
        }
        let changes = try #require(last?.changes)
        #expect(changes.map(\.time.timeIntervalSince1970) == [5, 4, 3, 1, 0])
        #expect(changes.map(\.to) == [.pass, .unreachable, .pass, .unreachable, .pass])
        #expect(changes.map(\.from) == [.unreachable, .pass, .unreachable, .pass, nil])
    }

    @Test("a kept verdict answers only for the files and the setup that it was judged by") func keptVerdicts()
        async throws
    {
        try await ScratchFolder.withURL { folder in
            func write(_ text: String, _ name: String) throws {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            let path = folder.appending(path: "serve.yml").path
            try write("modules: {tls: {prober: tcp, tcp: {tls: true, tls_config: {ca_file: ca.pem}}}}", "serve.yml")
            try write(try Self.pki.rootPEM(), "ca.pem")
            func read() throws -> CurrentConfiguration.State {
                try CurrentConfiguration(path, policies: [:], readIdentity: nil, clock: .system, warn: { _ in }).state
            }
            let documents = Documents()
            let item = WatchPlan.Item(module: "tls", target: "t", hostname: nil)
            var answer = ProbeAnswer()
            answer.add([result([])])
            await WatchBoard(documents.memory, setup: "lab").put(
                WatchedState(answer, at: .now, after: nil), of: item, judgedBy: try read())
            func answers(_ setup: String) async throws -> Bool {
                let board = WatchBoard(documents.memory, setup: setup)
                await board.settle(on: WatchPlan(every: .seconds(1), items: [item]), at: .now)
                #expect(board[item] != nil, "its history is lost")
                return board.state(of: item, judgedBy: try read()) != nil
            }
            #expect(try await answers("lab"))
            #expect(try await !answers("another"))
            try write(try LabPKI(epoch: .now).rootPEM(), "ca.pem")
            #expect(try await !answers("lab"))
        }
    }

    @Test("a reload that changes nothing leaves the verdicts, and one that changes a file of a module does not")
    func verdictsAfterReloads() async throws {
        try await ScratchFolder.with { folder in
            let modules = "modules: {tls: {prober: tcp, tcp: {tls: true, tls_config: {ca_file: ca.pem}}}}"
            try ScratchFolder.write(modules, to: "\(folder)/serve.yml")
            try ScratchFolder.write(try Self.pki.rootPEM(), to: "\(folder)/ca.pem")
            let current = try CurrentConfiguration(
                "\(folder)/serve.yml", policies: [:], readIdentity: nil, clock: .system, warn: { _ in })
            let item = WatchPlan.Item(module: "tls", target: "t", hostname: nil)
            let board = WatchBoard(nil, setup: "lab")
            var answer = ProbeAnswer()
            answer.add([result([])])
            await board.put(WatchedState(answer, at: .now, after: nil), of: item, judgedBy: current.state)
            try await current.reload()
            #expect(current.state.generation == 1 && board.state(of: item, judgedBy: current.state) != nil)
            try ScratchFolder.write(try LabPKI(epoch: .now).rootPEM(), to: "\(folder)/ca.pem")
            try await current.reload()
            #expect(board.state(of: item, judgedBy: current.state) == nil && board[item] != nil)
        }
    }

    @Test("a verdict is read back as it was written, whatever its metrics are") func documents() async throws {
        let documents = Documents()
        let item = WatchPlan.Item(module: "m", target: "t", hostname: nil)
        var answer = ProbeAnswer()
        answer.fail("no address")
        answer.metrics.add("probe_x", "x", ["a": "b"], value: .nan)
        answer.metrics.add("probe_y", "y", value: .infinity)
        await WatchBoard(documents.memory).put(
            WatchedState(answer, at: Date(timeIntervalSince1970: 7), after: nil), of: item)
        documents.kept.withLock { $0["broken"] = Data("{".utf8) }
        let board = WatchBoard(documents.memory)
        await board.settle(on: WatchPlan(every: .seconds(1), items: [item]), at: Date(timeIntervalSince1970: 8))
        let state = try #require(board[item])
        #expect(state.checkedAt == Date(timeIntervalSince1970: 7) && state.reason == "no address")
        #expect(Exposition.text.text(state.metrics) == Exposition.text.text(answer.metrics))
        #expect(board[WatchPlan.Item(module: "m", target: nil, hostname: "t")] == nil)
    }

    @Test("a verdict counts from its answer, and one of an earlier version, which kept no such time, from its question")
    func keptTimes() throws {
        let plan = WatchPlan(every: .seconds(10), items: [])
        for (end, counted) in [(nil, 100), (160, 160)] as [(Double?, Double)] {
            let state = WatchedState(
                ProbeAnswer(), at: Date(timeIntervalSince1970: 100), until: end.map { Date(timeIntervalSince1970: $0) },
                after: nil)
            let data = try JSONEncoder().encode(state)
            #expect(String(decoding: data, as: UTF8.self).contains("answeredAt") == (end != nil))
            let kept = try JSONDecoder().decode(WatchedState.self, from: data)
            #expect(kept.checkedAt == Date(timeIntervalSince1970: 100))
            #expect(!kept.isDue(at: Date(timeIntervalSince1970: counted + 9), by: plan))
            #expect(kept.isDue(at: Date(timeIntervalSince1970: counted + 10), by: plan))
        }
    }

    @Test("what a memory has is not replaced before it could be read") func lateMemory() async throws {
        let item = WatchPlan.Item(module: "m", target: "t", hostname: nil)
        let plan = WatchPlan(every: .seconds(1), items: [item])
        let documents = Documents()
        func judged(_ findings: [Finding], at second: Double, after state: WatchedState?) -> WatchedState {
            var answer = ProbeAnswer()
            answer.add([result(findings)])
            return WatchedState(answer, at: Date(timeIntervalSince1970: second), after: state)
        }
        await WatchBoard(documents.memory).put(judged([], at: 1, after: nil), of: item)
        let isLocked = Mutex(true)
        let board = WatchBoard(
            WatchMemory {
                isLocked.withLock { $0 } ? nil : documents.kept.withLock { $0 }
            } keep: { name, content in
                documents.kept.withLock { $0[name] = content }
            } forget: { _ in
            })
        await board.settle(on: plan, at: .now)
        let fault = Finding.error(.pinMismatch, code: "pin-mismatch", stage: .pins, "another key", fix: "add its pin")
        let before = documents.kept.withLock { $0 }
        await board.put(judged([fault], at: 2, after: nil), of: item)
        #expect(documents.kept.withLock { $0 } == before && board[item]?.changes.count == 1)
        isLocked.withLock { $0 = false }
        await board.put(judged([], at: 3, after: board[item]), of: item)
        #expect(board[item]?.changes.map(\.time.timeIntervalSince1970) == [3, 2, 1])
        let again = WatchBoard(documents.memory)
        await again.settle(on: plan, at: .now)
        #expect(again[item]?.changes.count == 3)
    }

    @Test("after a reload only the new configuration's verdicts answer") func reloaded() async throws {
        let files = ["ca.pem": try Self.pki.rootPEM()]
        let other = try LabPKI(epoch: .now).rootPEM()
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let endpoint = peer.endpoint
            try await ServerUnderTest.run(Self.configuration(endpoint), files: files) { server in
                while try await !server.ask("/").text.contains("mark pass") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try await server.probe("tls", "\(endpoint)")["probe_success"] == 1)
                try other.write(toFile: server.folder + "/ca.pem", atomically: true, encoding: .utf8)
                #expect(try await server.ask("/-/reload", method: "POST").status == 200)
                #expect(try await server.probe("tls", "\(endpoint)")["probe_success"] == 0)
                // The watch, whose next round is in an hour, asks anew too.
                while try await server.probe("tls", "\(endpoint)")["probe_watch_timestamp_seconds"] == nil {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try await server.probe("tls", "\(endpoint)")["probe_success"] == 0)
            }
        }
    }

    @Test("a silent target makes itself late, and no other") func silentTarget() async throws {
        try await LabServer.run(.silent, pki: Self.pki) { silent in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
                let configuration = """
                    modules:
                      tls: {prober: tcp, timeout: 600s, tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: good.test}}}
                    watch:
                      every: 1s
                      targets: [{module: tls, target: "\(silent.endpoint)"}, {module: tls, target: "\(peer.endpoint)"}]
                    """
                try await ServerUnderTest.run(configuration, files: ["ca.pem": try Self.pki.rootPEM()]) { server in
                    let name = "probe_serve_probes_total{module=\"tls\",result=\"passed\",asker=\"watch\"}"
                    // The silent one is still asked the first time.
                    while try await (server.ask("/metrics")[name] ?? 0) < 3 {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    #expect(silent.acceptedConnections > 0)
                }
            }
        }
    }

    @Test("a verdict is kept before it is shown, so that none is seen that is lost") func keptFirst() async throws {
        let item = WatchPlan.Item(module: "m", target: "t", hostname: nil)
        let plan = WatchPlan(every: .seconds(1), items: [item])
        let seen = Mutex<[Bool]>([])
        let shown = Mutex<WatchBoard?>(nil)
        let board = WatchBoard(
            WatchMemory {
                [:]
            } keep: { _, _ in
                let isShown = shown.withLock { $0 }?[item] != nil
                seen.withLock { $0.append(isShown) }
            } forget: { _ in
            })
        shown.withLock { $0 = board }
        await board.settle(on: plan, at: .now)
        await board.put(WatchedState(ProbeAnswer(), at: .now, after: nil), of: item)
        #expect(seen.withLock { $0 } == [false])
        #expect(board[item] != nil)
    }

    @Test("a target that left the plan is gone, and from the store after a week") func targetsThatLeft() async throws {
        let documents = Documents()
        let items = ["stays", "left", "left-long-ago"].map { WatchPlan.Item(module: "m", target: $0, hostname: nil) }
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let board = WatchBoard(documents.memory)
        for (item, days) in zip(items, [30, 6, 8] as [Double]) {
            await board.put(
                WatchedState(ProbeAnswer(), at: now.addingTimeInterval(-days * 86_400), after: nil), of: item)
        }
        documents.kept.withLock { $0["of somebody else"] = Data("{}".utf8) }
        let plan = WatchPlan(every: .seconds(1), items: [items[0]])
        await board.settle(on: plan, at: now)
        #expect(items.map { board[$0] != nil } == [true, false, false])
        let names = documents.kept.withLock { Set($0.keys) }
        #expect(names == ["1:m 5:stays -", "1:m 4:left -", "of somebody else"])
        // One that comes back within the week has its history.
        await board.settle(on: WatchPlan(every: .seconds(1), items: items), at: now)
        #expect(items.map { board[$0] != nil } == [true, true, false])
    }

    @Test("a reload drops them from the page") func reload() async throws {
        let documents = Documents()
        let files = ["ca.pem": try Self.pki.rootPEM()]
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
            let text = Self.configuration(peer.endpoint)
            let old = WatchPlan.Item(module: "tls", target: "old.test:443", hostname: nil)
            await WatchBoard(documents.memory).put(
                WatchedState(ProbeAnswer(), at: Date(timeIntervalSince1970: 7), after: nil), of: old)
            try await ServerUnderTest.run(text, files: files, memory: documents.memory) { server in
                while documents.kept.withLock({ $0.keys.contains { $0.contains("old.test") } }) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                while try await !server.ask("/").text.contains("mark pass") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let other = text.replacing("targets: [", with: "targets: [{module: tls, target: \"other.test:1\"}, ")
                    .replacing(", {module: tls, target: \"\(peer.endpoint)\"}", with: "")
                try other.write(toFile: "\(server.folder)/serve.yml", atomically: true, encoding: .utf8)
                #expect(try await server.ask("/-/reload", method: "POST").status == 200)
                let page = try await server.ask("/").text
                #expect(page.contains("other.test:1") && !page.contains("\(peer.endpoint)"), "\(page)")
            }
        }
    }
}
