import Foundation
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Testing

/// Questions without a deadline of their own have that of the probe, which waits for the answer.
@Suite(.bounded) struct ProbeDeadlineTests {
    private static let answer = """
        if request['type'] == 'read-key':
            answer(request, key={'unreadable': str(request['deadline'])})
            continue
        if request['type'] == 'evaluate-trust':
            problem = {'cause': 'other', 'message': str(request['deadline'])}
            answer(request, trust={'accepted': False, 'problems': [problem]})
            continue
        """

    /// The seconds that the program is given for a key, and for a decision.
    private func seconds(_ transport: ExternalTransport, by deadline: Deadline?) async -> [Double] {
        let question = TrustQuestion(
            chain: [[1]], anchors: .none, name: nil, instant: Date(timeIntervalSince1970: 0))
        return await Deadline.$ofProbe.withValue(deadline) {
            guard case .unreadable(let key) = await transport.readKey(ofCertificate: [1]) else { return [] }
            let trust = await transport.evaluateTrust(question)
            return [key, trust.problems.first?.message].compactMap { $0.flatMap { Double($0) } }
        }
    }

    @Test(arguments: [(nil, 10), (4, 4), (1200, 10)] as [(seconds: Int?, most: Double)])
    func theyEndWithTheProbe(left: (seconds: Int?, most: Double)) async throws {
        let program = try FakeProgram(Self.answer)
        let transport = try await program.transport()
        let given = await seconds(transport, by: left.seconds.map { Deadline.after(.seconds($0)) })
        await transport.stop()
        #expect(given.count == 2 && given.allSatisfy { (0...left.most).contains($0) }, "\(given)")
    }

    @Test func afterItNothingIsAsked() async throws {
        let program = try FakeProgram("open(__file__ + '.asked', 'w').close()\n" + Self.answer)
        let transport = try await program.transport()
        let key = await Deadline.$ofProbe.withValue(Deadline(at: .now)) {
            await transport.readKey(ofCertificate: [1])
        }
        guard case .unanswered(let reason) = key else { return #expect(Bool(false), "\(key)") }
        #expect(reason.hasPrefix("program-not-asked"))
        await transport.stop()
        #expect(!FileManager.default.fileExists(atPath: program.path + ".asked"))
    }
}
