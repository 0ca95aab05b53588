import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The command words the steps of fixes as its options.
@Suite(.bounded) struct FixWordsTests {
    @Test func aPinIsWrittenAsItsOption() throws {
        let pin = try #require(try PinText.parse("spki@ca:sha256:" + String(repeating: "7e", count: 32)).first)
        let words = try #require(FixWords.words(.pin(pin.pin, pin.position)))
        #expect(words.hasPrefix("--pin spki@ca:sha256:"))
        #expect(try PinText.parse(String(words.dropFirst("--pin ".count))) == [pin])
    }

    /// Findings, and refusals, name the options in what the whole command prints.
    @Test(arguments: [
        (["check", "--chain", "ca.pem", "--ca", "attacker.pem", "a.test"], "with --ca FILE"),
        (["profile", "convert", "--to", "curl", "../ecall/profile.yaml"], "choose one with --host"),
    ])
    func theCommandPrintsOptions(arguments: [String], words: String) async throws {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Examples/minvws/"
        let found = try await Probe.run(
            arguments.map { $0.hasSuffix(".pem") || $0.hasSuffix(".yaml") ? folder + $0 : $0 })
        #expect((found.output + found.errors).contains(words), "\(found)")
    }
}
