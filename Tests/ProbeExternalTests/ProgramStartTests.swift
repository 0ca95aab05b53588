import Foundation
import ProbeExternal
import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Testing

/// A program that does not start, or starts as another, is a typed failure within the time of the request.
@Suite(.bounded) struct ProgramStartTests {
    @Test("a program that missed its first hello is started again after a while") func firstHelloMissed() async throws {
        let program = try FakeProgram(
            before:
                "first = sys.argv[0] + '.first'\nif not os.path.exists(first):\n    open(first, 'w')\n    sys.exit(1)")
        let error = await #expect(throws: ProgramFault.self) { try await program.transport() }
        let fault = try #require(error)
        let patient = ExternalTransport(
            unusable: fault, path: program.path, name: "fake", patience: .seconds(1200), pause: .seconds(3600))
        #expect(try await patient.ask()?.code == .backendError)
        let transport = ExternalTransport(
            unusable: fault, path: program.path, name: "fake", patience: .seconds(1200), pause: .zero)
        #expect(transport.identity.library == "unknown")
        #expect(try await transport.ask()?.code == .connectionRefused)
        #expect(transport.identity.library == "Fake" && !transport.capabilities.contains(.alpn))
        await transport.stop()
        let stranger = ExternalTransport(
            unusable: fault, path: program.path, name: "other", patience: .seconds(1200), pause: .zero)
        #expect(try await stranger.ask()?.message.contains("reports that it is 'fake'") == true)
        await stranger.stop()
    }

    @Test(arguments: [
        ("program-wrong-version", "send({'id': 0, 'type': 'hello', 'protocol': 2})"),
        ("program-garbled", "send({'id': 0, **HELLO, 'kind': 'resolver'})"),
        ("program-garbled", "send({'id': 0, **HELLO, 'name': 'another'})"),
        ("program-garbled", "send({'id': 0, **HELLO, 'version': ''})"),
        ("program-garbled", "send({'id': 0, **HELLO, 'capabilities': ['x'] * 101})"),
        ("program-ended", "os._exit(9)"),
        ("program-garbled", "print('hello')\n        sys.stdout.flush()"),
    ])
    func saysHelloOrIsNotUsed(_ code: String, _ hello: String) async throws {
        let program = try FakeProgram(hello: hello)
        do throws(ProgramFault) {
            let transport = try await program.transport()
            Issue.record("\(transport.identity) can be used")
            await transport.stop()
        } catch {
            #expect(error.code.rawValue == code, "\(error)")
        }
    }

    @Test(arguments: [
        ("'capabilities': ['x'] * 101", "it has 101 capabilities, and may have 100"),
        ("'library': 'x' * 201", "its library has 201 bytes, and may have 1 to 200"),
        ("'version': ''", "its version has 0 bytes, and may have 1 to 200"),
    ])
    func theLimitThatAHelloExceedsIsNamed(_ members: String, _ words: String) async throws {
        let program = try FakeProgram(hello: "send({'id': 0, **HELLO, \(members)})")
        let error = await #expect(throws: ProgramFault.self) { try await program.transport() }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func whatIsNotThereCanNotBeStarted() async throws {
        do throws(ProgramFault) {
            _ = try await ExternalTransport(path: "/nowhere/probe-transport-fake", name: "fake")
            Issue.record("it was started")
        } catch {
            #expect(error.code == .notStarted)
        }
    }

    /// A program that fails at each start fails each probe, and does not run in circles.
    @Test func dyingAtStartIsAFaultEachTime() async throws {
        let marker = FileManager.default.temporaryDirectory.appending(path: "fake-marker-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: marker) }
        let program = try FakeProgram(
            "os._exit(1)",
            before: "if os.path.exists('\(marker)'): os._exit(5)\nopen('\(marker)', 'w').close()")
        let transport = try await program.transport()
        for _ in 0..<3 {
            let failure = try await transport.ask()
            #expect(failure?.nativeCode == "program-ended")
        }
        await transport.stop()
    }

    /// Restarting it takes the request's time, and no more.
    @Test func aStartThatHangsEndsByTheDeadline() async throws {
        let program = try FakeProgram(
            "open(died, 'w').close()\nos._exit(1)",
            hello: "time.sleep(60 if os.path.exists(died) else 0); send({'id': request['id'], **HELLO})",
            before: "died = __file__ + '.died'")
        let transport = try await program.transport()
        #expect(try await transport.ask()?.nativeCode == "program-ended")
        let start = Stopwatch()
        #expect(try await transport.ask(seconds: 1)?.nativeCode == "program-hung")
        #expect(start.elapsed < .seconds(30))
        await transport.stop()
    }

    /// A program that has another identity when it is restarted is not asked: earlier comparisons would not apply to
    /// it.
    @Test func anotherProgramInItsPlaceIsAFault() async throws {
        let program = try FakeProgram(
            "open(died, 'w').close()\nos._exit(1)",
            hello: """
                send({'id': request['id'], **HELLO, **({'version': '99'} if os.path.exists(died) else {})})
                """,
            before: "died = __file__ + '.died'")
        let transport = try await program.transport()
        #expect(try await transport.ask()?.nativeCode == "program-ended")
        let failure = try await transport.ask()
        #expect(failure?.nativeCode == "program-garbled")
        #expect(failure?.message.contains("reports another identity") == true)
        await transport.stop()
    }
}
