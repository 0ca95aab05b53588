import ProbeTestSupport
import Testing

/// The suite ends despite a backend that fails now and then, and reports the affected cases, with the faults.
@Suite(.bounded, .timeLimit(.minutes(30))) struct SpoiledProgramTests {
    /// The result of a fault, whether or not the program survives it: a case that could not be played, or one that was
    /// not kept.
    @Test(arguments: zip(SpoiledProgram.Fault.allCases, [70, 70, 30] as [Int32]))
    func theSuiteEnds(fault: SpoiledProgram.Fault, code: Int32) async throws {
        let program = try SpoiledProgram(fault)
        let outcome = try await Probe.run([
            "conformance", "--plugin", program.path, "--backend", "spoiled", "--filter", "tls/pins/spki-",
            "--format", "json",
        ])
        #expect(outcome.code == code, "\(outcome.errors)")
        let spoiled = outcome.lines.filter { $0["kept"] as? Bool == false }
        // At least each third handshake; the cases are played together, and a death takes those in progress along.
        #expect(spoiled.count * 4 >= outcome.lines.count, "\(outcome.output)")
        if fault != .crash { #expect(spoiled.count < outcome.lines.count) }
        let outcomes = Set(spoiled.compactMap { $0["outcome"] as? String })
        if fault != .lie { #expect(outcome.output.contains(fault == .crash ? "program-ended" : "program-hung")) }
        #expect(outcomes.isSubset(of: fault == .lie ? ["readings-disagree", "stacks-disagree"] : ["internal-error"]))
    }
}
