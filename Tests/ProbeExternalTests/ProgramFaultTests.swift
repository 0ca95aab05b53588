import Foundation
import ProbeExternal
import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Testing

/// A program's fault is a typed failure, costs one probe, and leaves nothing behind.
@Suite(.bounded) struct ProgramFaultTests {
    /// Twenty requests at the same time, of which the program can't survive the one for port 7.
    ///
    /// - Parameter seconds: the time limit of that one.
    private func oneOfTwenty(_ behaviour: String, seconds: Double = 1200) async throws -> [UInt16: HandshakeFailure] {
        let program = try FakeProgram("if request['port'] == 7:\n" + behaviour)
        let transport = try await program.transport()
        let failures = try await withThrowingTaskGroup(of: (UInt16, HandshakeFailure?).self) { group in
            for port in UInt16(1)...20 {
                group.addTask { (port, try await transport.ask(port: port, seconds: port == 7 ? seconds : 1200)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await transport.stop()
        return failures
    }

    /// The fault and its handling.
    @Test(arguments: [
        ("program-ended", "    sys.stderr.write('poisoned'); sys.stderr.flush(); os._exit(3)"),
        ("program-ended", "    os.kill(os.getpid(), 11)"),
        ("program-garbled", "    print('this is not JSON', flush=True)"),
        ("program-garbled", "    print('[1, 2]', flush=True)"),
        ("program-garbled", "    print('{\"type\": \"handshake\"}', flush=True)"),
        ("program-garbled", "    send({'id': request['id'], 'type': 'dns-query', 'attempts': []})"),
        (
            "program-garbled",
            """
                reply = json.dumps({'id': request['id'], 'type': 'handshake', 'report': refusal()})
                sys.stdout.buffer.write(reply.encode('utf-16-le') + b'\\n'); sys.stdout.buffer.flush()
            """
        ),
        ("program-unasked-reply", "    send({'id': 424242, 'type': 'handshake', 'report': {}})"),
        ("program-unasked-reply", "    answer(request)"),
        ("program-line-too-long", "    sys.stdout.write('x' * (9 << 20)); sys.stdout.flush(); time.sleep(60)"),
        ("program-line-too-long", "    while True: sys.stdout.write('x' * 65536)"),
    ])
    func costsOneProbe(_ code: String, _ behaviour: String) async throws {
        let failures = try await oneOfTwenty(behaviour)
        #expect(failures.count == 20)
        let lost = failures.filter { $0.value.code != .connectionRefused }
        // After a reply that was sent twice, it is unknown which of the requests was the cause.
        if behaviour.hasSuffix("answer(request)") {
            #expect(lost.isEmpty || lost.values.allSatisfy { $0.nativeCode == code })
        } else {
            #expect(lost.keys.sorted() == [7])
            #expect(lost[7]?.code == .backendError)
            #expect(lost[7]?.nativeCode == code)
        }
    }

    @Test("of what is not a reply the lines after the first are quoted too, some of them") func garbledLines()
        async throws
    {
        let lines = (1...9).map { "# line \($0)" }.joined(separator: "\\n")
        let program = try FakeProgram("sys.stdout.write('#\\n\\n\(lines)\\n'); sys.stdout.flush()\ntime.sleep(60)")
        let transport = try await program.transport()
        let failure = try #require(try await transport.ask())
        await transport.stop()
        #expect(failure.nativeCode == "program-garbled")
        let quoted = "'#', '# line 1', '# line 2', '# line 3', '# line 4', '# line 5'"
        #expect(failure.message.contains("is not a reply: not JSON"), "\(failure.message)")
        #expect(failure.message.contains(", in \(quoted)"), "\(failure.message)")
        #expect(!failure.message.contains("# line 6"))
    }

    @Test func standardErrorIsInTheReport() async throws {
        let failures = try await oneOfTwenty("    sys.stderr.write('poi\\x1bsoned'); sys.stderr.flush(); os._exit(3)")
        let message = try #require(failures[7]?.message)
        #expect(message.contains("code 3") && message.contains("poi\\u{1b}soned"))
    }

    @Test func whatHangsIsKilledAtItsDeadline() async throws {
        let start = Stopwatch()
        let failures = try await oneOfTwenty("    time.sleep(60)", seconds: 2)
        #expect(failures.filter { $0.value.code != .connectionRefused }.keys.sorted() == [7])
        #expect(failures[7]?.nativeCode == "program-hung" && failures[7]?.cause == .programHung)
        #expect(start.elapsed < .seconds(20))
    }

    /// Eight processes keep the program from its processor: it gets a ninth of it, and needs a fifth of a second.
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/schedstat"),
            "this kernel does not count what threads wait"))
    func aProgramThatGetsNoProcessorDoesNotHang() async throws {
        let program = try FakeProgram(
            """
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            for _ in range(8):
                if os.fork() == 0:
                    while True: pass
            end = time.process_time() + 0.2
            while time.process_time() < end: pass
            """)
        let transport = try await program.transport()
        #expect(try await transport.ask(seconds: 0.2)?.code == .connectionRefused)
        // The others die with it.
        await transport.stop()
    }

    @Test func eachThirdRequestCrashes() async throws {
        let program = try FakeProgram("if count == 3: os._exit(1)")
        let transport = try await program.transport()
        var codes: [String?] = []
        for _ in 0..<9 { codes.append(try await transport.ask()?.nativeCode) }
        await transport.stop()
        #expect(codes == [nil, nil, "program-ended", nil, nil, "program-ended", nil, nil, "program-ended"])
    }

    /// A crash at each third request while many are in progress: all of them are answered, most of them correctly.
    @Test func crashesUnderLoad() async throws {
        let program = try FakeProgram("if count == 3: os._exit(1)")
        let transport = try await program.transport()
        let failures = try await withThrowingTaskGroup(of: HandshakeFailure?.self) { group in
            for _ in 0..<30 { group.addTask { try await transport.ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await transport.stop()
        #expect(failures.count == 30)
        #expect(failures.count { $0?.code == .connectionRefused } >= 15)
        #expect(failures.allSatisfy { $0?.code == .connectionRefused || $0?.nativeCode == "program-ended" })
    }

    @Test func anErrorReplyCostsTheRequestAlone() async throws {
        let program = try FakeProgram(
            "if request['port'] == 7:\n    send({'id': request['id'], 'type': 'error', 'message': 'not today'})\n    continue"
        )
        let transport = try await program.transport()
        let before = try await transport.ask()?.message
        let refused = try await transport.ask(port: 7)
        let after = try await transport.ask()?.message
        await transport.stop()
        #expect(refused?.nativeCode == "program-refused")
        #expect(refused?.message.contains("not today") == true)
        #expect(before == after, "the process is another one")
    }

    @Test func floodingStandardErrorBlocksNothing() async throws {
        let program = try FakeProgram("sys.stderr.write('x' * (4 << 20))")
        let transport = try await program.transport()
        for _ in 0..<3 {
            let failure = try await transport.ask()
            #expect(failure?.code == .connectionRefused)
        }
        await transport.stop()
    }

    /// Unread requests fill the pipe; they still end at their deadlines.
    @Test func aProgramThatDoesNotReadIsAHang() async throws {
        let program = try FakeProgram(before: "hello = sys.stdin.readline()\nsend({'id': 0, **HELLO})\ntime.sleep(600)")
        let transport = try await program.transport()
        let big = [UInt8](repeating: 0x30, count: 300_000)
        let question = TrustQuestion(
            chain: [big], anchors: .none, name: nil, instant: Date(timeIntervalSince1970: 0))
        let start = Stopwatch()
        async let trust = transport.evaluateTrust(question)
        let failure = try await transport.ask(seconds: 1)
        #expect(failure?.nativeCode == "program-hung")
        _ = await trust
        await transport.stop()
        #expect(start.elapsed < .seconds(40))
    }

    @Test func cancellingReleasesTheCaller() async throws {
        let program = try FakeProgram("time.sleep(600)")
        let transport = try await program.transport()
        let task = Task { try await transport.ask(seconds: 300) }
        try await Task.sleep(for: .milliseconds(300))
        let start = Stopwatch()
        task.cancel()
        let failure = try await task.value
        #expect(failure?.code == .backendError)
        #expect(start.elapsed < .seconds(20))
        await transport.stop()
    }

    /// A request whose task was cancelled before it came is not sent.
    @Test func cancellingBeforeSendsNothing() async throws {
        let program = try FakeProgram("open(__file__ + '.asked', 'w').close()")
        let transport = try await program.transport()
        let task = Task { () async throws -> HandshakeFailure? in
            while !Task.isCancelled { await Task.yield() }
            return try await transport.ask()
        }
        task.cancel()
        #expect(try await task.value?.message == HandshakeFailure.cancelled.message)
        // The program reads all that it was sent before it ends.
        await transport.stop()
        #expect(!FileManager.default.fileExists(atPath: program.path + ".asked"))
    }

    /// A malformed reply is the fault of the request it belongs to; another one in progress is asked again.
    @Test func aBadReplyCostsItsOwnRequest() async throws {
        let program = try FakeProgram(
            """
            died = __file__ + '.died'
            if not os.path.exists(died):
                if count < 2: continue
                open(died, 'w').close()
                send({'id': request['id'], 'type': 'handshake', 'report': {'chain': ['!']}})
                continue
            """)
        let transport = try await program.transport()
        let failures = try await withThrowingTaskGroup(of: HandshakeFailure?.self) { group in
            for _ in 0..<2 { group.addTask { try await transport.ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await transport.stop()
        #expect(failures.count { $0?.nativeCode == "program-garbled" } == 1)
        #expect(failures.count { $0?.code == .connectionRefused } == 1)
    }

    /// A program's child processes end with it, even if it exits by itself.
    @Test func whatItStartedEndsWithIt() async throws {
        let program = try FakeProgram(
            """
            none = subprocess.DEVNULL
            child = subprocess.Popen(['sleep', '600'], stdin=none, stdout=none, stderr=none)
            answer(request, report={'failure': {'code': 'connection-refused', 'message': str(child.pid)}})
            os._exit(0)
            """)
        let transport = try await program.transport()
        let message = try await transport.ask()?.message
        let child = try #require(message.flatMap { pid_t($0) })
        let end = ContinuousClock.now + .seconds(1500)
        while kill(child, 0) == 0, .now < end { try await Task.sleep(for: .milliseconds(20)) }
        #expect(kill(child, 0) == -1, "process \(child) is left")
        await transport.stop()
    }

    /// After a crash requests are asked one at a time; who waits for a turn has no more time than before.
    @Test func waitingForATurnEndsByTheDeadlineOrWithItsTask() async throws {
        let program = try FakeProgram(
            """
            died = __file__ + '.died'
            if os.path.exists(died): time.sleep(600)
            if count < 4: continue
            open(died, 'w').close()
            os._exit(1)
            """)
        let transport = try await program.transport()
        let long = (0..<3).map { _ in Task { try await transport.ask() } }
        let start = Stopwatch()
        // It hangs if its own turn is the first; else the crash is its reason.
        let code = try await transport.ask(seconds: 4)?.nativeCode
        #expect(code == "program-hung" || code == "program-ended", "\(code ?? "nil")")
        #expect(start.elapsed < .seconds(20))
        let cancelling = Stopwatch()
        for task in long { task.cancel() }
        for task in long { #expect(try await task.value?.code == .backendError) }
        #expect(cancelling.elapsed < .seconds(60))
        await transport.stop()
    }

    /// A request that was lost with another one, and can't be repeated in time, has that one's reason.
    @Test func whatIsLostWithAnotherHasItsReason() async throws {
        let program = try FakeProgram(
            "if count < 2: continue\nopen(died, 'w').close()\nos._exit(3)",
            hello: "time.sleep(60 if os.path.exists(died) else 0); send({'id': request['id'], **HELLO})",
            before: "died = __file__ + '.died'")
        let transport = try await program.transport()
        async let first = transport.ask(seconds: 5)
        async let second = transport.ask(seconds: 5)
        for failure in [try await first, try await second] {
            #expect(failure?.nativeCode == "program-ended" && failure?.cause == .programFault)
            let message = failure?.message ?? ""
            #expect(message.contains("no time left to repeat it: probe-transport-fake ended with code 3"), "\(message)")
        }
        await transport.stop()
    }

    /// A request that only waited for others is not the one that hung.
    @Test func whatWaitsForATurnAloneDidNotHang() async throws {
        let program = try FakeProgram(
            """
            died = __file__ + '.died'
            if os.path.exists(died):
                open(__file__ + '.alone', 'w').close()
                time.sleep(600)
            if count < 2: continue
            open(died, 'w').close()
            os._exit(1)
            """)
        let transport = try await program.transport()
        let long = (0..<2).map { _ in Task { try await transport.ask() } }
        while !FileManager.default.fileExists(atPath: program.path + ".alone") {
            try await Task.sleep(for: .milliseconds(20))
        }
        let failure = try await transport.ask(seconds: 1)
        #expect(failure?.nativeCode == "program-not-asked" && failure?.cause == .programBusy)
        for task in long { task.cancel() }
        for task in long { _ = try await task.value }
        await transport.stop()
    }

    /// A fault means nothing for the key.
    @Test func aKeyThatIsNotReportedIsNotUnreadable() async throws {
        let transport = try await FakeProgram("if request['type'] == 'read-key': os._exit(1)").transport()
        guard case .unanswered(let reason) = await transport.readKey(ofCertificate: [1]) else {
            return #expect(Bool(false), "a fault is a reading")
        }
        #expect(reason.contains("program-ended"))
        await transport.stop()
    }

    /// Nor does it for the chain.
    @Test func aDecisionThatIsMissingRefusesNothing() async throws {
        let transport = try await FakeProgram("if request['type'] == 'evaluate-trust': os._exit(1)").transport()
        let reading = await transport.evaluateTrust(
            TrustQuestion(chain: [[1]], anchors: .none, name: nil, instant: Date(timeIntervalSince1970: 0)))
        #expect(!reading.isAnswered && !reading.isAccepted)
        #expect(reading.problems.map(\.nativeCode) == ["program-ended"] && reading.silence == .programFault)
        await transport.stop()
    }

    /// After the end of its output it can't answer, and is killed.
    @Test func theEndOfItsOutputIsReported() async throws {
        let program = try FakeProgram("os.close(1)\nwhile True: time.sleep(1)")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        #expect(failure?.nativeCode == "program-ended")
        #expect(failure?.message == "probe-transport-fake ended its output and did not exit")
        await transport.stop()
    }

    /// A kill by somebody else is not ours.
    @Test func aKillByOthersIsASignal() async throws {
        let transport = try await FakeProgram("os.kill(os.getpid(), 9)").transport()
        #expect(try await transport.ask()?.message == "probe-transport-fake ended by signal 9")
        await transport.stop()
    }

    /// Nothing is left: neither the program, which ignores the end of its input, nor its child processes.
    @Test func nothingIsLeft() async throws {
        let program = try FakeProgram(
            """
            child = subprocess.Popen(['sleep', '600'])
            answer(request, report={'failure': {'code': 'connection-refused', 'message': '%d %d' % (os.getpid(), child.pid)}})
            while True: time.sleep(1)
            """)
        let transport = try await program.transport()
        let message = try await transport.ask()?.message
        let processes = try #require(message).split(separator: " ").compactMap { pid_t($0) }
        #expect(processes.count == 2)
        await transport.stop()
        let end = ContinuousClock.now + .seconds(1500)
        for process in processes {
            while kill(process, 0) == 0, .now < end { try await Task.sleep(for: .milliseconds(20)) }
            #expect(kill(process, 0) == -1, "process \(process) is left")
        }
    }
}
