import ProbeTestSupport
import Testing

@Suite(.bounded) struct PartnerProcessTests {
    @Test(.timeLimit(.minutes(30)))
    func aProgramThatEndsIsReportedWithItsWords() async throws {
        let port = try LoopbackPort.free()
        let partner = PartnerProcess(program: "sh", arguments: ["-c", "echo no such zone >&2"], port: port)
        let error = await #expect(throws: PartnerProcess.StartError.self) { () async throws in try await partner.run {}
        }
        #expect(error?.description.contains("no such zone") == true)
    }

    @Test func programsAreFoundOrNot() {
        #expect(PartnerProcess.isInstalled("sh"))
        #expect(!PartnerProcess.isInstalled("no-such-program"))
    }
}
