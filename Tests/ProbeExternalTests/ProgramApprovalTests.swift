import Foundation
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

/// An HTTP request is approved before a program sends it, once for each handshake.
@Suite(.bounded) struct ProgramApprovalTests {
    @Test(arguments: [true, false])
    func approvalIsAskedBeforeTheRequest(_ isApproved: Bool) async throws {
        let program = try FakeProgram(
            """
            if request['type'] == 'handshake':
                asked = request
                send({'id': request['id'], 'type': 'approve', 'report': refusal()})
                continue
            if request['type'] == 'approval':
                http = {'response': {'version': 'h2', 'status': 204, 'date': ['now']}, 'duration': 0.1}
                answer(asked, report={**refusal(), 'http': http if request['approved'] else None})
                continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)),
                exchange: HTTPExchange(with: target) { report in
                    #expect(report.failure?.code == .connectionRefused)
                    return isApproved
                }))
        await transport.stop()
        #expect(report.http?.response?.status == (isApproved ? 204 : nil))
    }

    /// A question for an approval does not wait for the handshake it is part of, which waits for it; here that one is
    /// asked alone, after the program died under two.
    @Test func anApprovalMayAskTheProgram() async throws {
        let program = try FakeProgram(
            """
            died = __file__ + '.died'
            if request['type'] == 'handshake' and not os.path.exists(died):
                if count < 2: continue
                open(died, 'w').close()
                os._exit(1)
            if request['type'] == 'handshake':
                asked = request
                send({'id': request['id'], 'type': 'approve', 'report': refusal()})
                continue
            if request['type'] == 'approval':
                answer(asked)
                continue
            if request['type'] == 'read-key':
                send({'id': request['id'], 'type': 'read-key', 'key': {'spki': 'MAA='}})
                continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        @Sendable func ask() async -> HandshakeReport {
            await transport.handshake(
                HandshakeRequest(
                    endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                    instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)),
                    exchange: HTTPExchange(with: target) { _ in
                        let key = await transport.readKey(ofCertificate: [1])
                        #expect(key == .spki([0x30, 0]))
                        return false
                    }))
        }
        async let first = ask()
        async let second = ask()
        let codes = await [first.failure?.code, second.failure?.code]
        await transport.stop()
        #expect(codes == [.connectionRefused, .connectionRefused])
    }

    /// Nobody waits for the answer about a handshake that was lost meanwhile: the one that was made after it has its own.
    @Test func anApprovalEndsWithItsHandshake() async throws {
        let program = try FakeProgram(
            """
            died = __file__ + '.died'
            if request['type'] == 'handshake' and request['port'] == 7 and not os.path.exists(died):
                open(died, 'w').close()
                os._exit(1)
            if request['type'] == 'handshake' and request['port'] == 9:
                asked = request
                send({'id': request['id'], 'type': 'approve', 'report': complete()})
                continue
            if request['type'] == 'approval':
                answer(asked, report=complete())
                continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        let calls = Mutex(0)
        let exchange = HTTPExchange(with: target) { _ in
            let call = calls.withLock { count in
                count += 1
                return count
            }
            guard call == 1 else { return false }
            asking.yield()
            // Only the end of its task ends this.
            try? await Task.sleep(for: .seconds(86_400))
            ending.yield()
            return true
        }
        async let first = transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)), exchange: exchange))
        for await _ in asked { break }
        _ = try await transport.ask(port: 7)
        let report = await first
        #expect(report.failure == nil)
        for await _ in ended { break }
        #expect(calls.withLock { $0 } == 2)
        await transport.stop()
    }

    /// A program that asks after its handshake was given up gets a no, without a decision.
    @Test func aHandshakeThatWasGivenUpIsNotApproved() async throws {
        let program = try FakeProgram(
            """
            if request['type'] == 'handshake' and request['port'] == 9:
                asked = request
                open(__file__ + '.asked', 'w').close()
                continue
            if request['type'] == 'handshake':
                other = request
                send({'id': asked['id'], 'type': 'approve', 'report': complete()})
                continue
            if request['type'] == 'approval':
                answer(asked)
                approved = str(request['approved'])
                answer(other, report={'failure': {'code': 'connection-refused', 'message': approved}})
                continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        let calls = Mutex(0)
        let exchange = HTTPExchange(with: target) { _ in
            calls.withLock { $0 += 1 }
            return true
        }
        let handshake = Task {
            await transport.handshake(
                HandshakeRequest(
                    endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                    instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)), exchange: exchange))
        }
        while !FileManager.default.fileExists(atPath: program.path + ".asked") {
            try await Task.sleep(for: .milliseconds(20))
        }
        handshake.cancel()
        #expect(await handshake.value.failure?.message == HandshakeFailure.cancelled.message)
        #expect(try await transport.ask(port: 7)?.message == "False")
        #expect(calls.withLock { $0 } == 0)
        await transport.stop()
    }

    /// Approval is asked once, and only if there is something to approve.
    @Test func unwantedApprovalsAreAFault() async throws {
        let program = try FakeProgram(
            "send({'id': request['id'], 'type': 'approve', 'report': refusal()})\ntime.sleep(60)")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.nativeCode == "program-garbled")
    }
}
