import ProbeKit
import ProbePins
import Testing

@Suite struct FixTests {
    private static let pin = Pin(kind: .spki, digest: .sha256(of: [1]))

    @Test func stepsAreInTheSentence() {
        let send: Fix = "\(.serveOnePath)"
        let fix: Fix = "\(.pin(Self.pin, .leaf)), or \(send) to \("good.test")"
        #expect(fix.steps == [.pin(Self.pin, .leaf), .serveOnePath])
        #expect(
            fix.description
                == "pin spki@leaf:sha256:\(Self.pin.digest.base64), or configure the server to send only the intermediates of one path to good.test"
        )
        #expect(Fix("").isEmpty && Fix("renew it").steps == [])
    }

    /// The program's words are for showing: the fix stays the same.
    @Test func aProgramHasItsOwnWords() {
        let finding = Finding.warning("x", stage: .pins, "it is odd", fix: "\(.pin(Self.pin, .any))")
        let text = Fix.Step.$words.withValue(.init { if case .pin = $0 { "use -p" } else { nil } }) { finding.fix }
        #expect(text == "use -p")
        #expect(finding.worded(.init { if case .pin = $0 { "use -p" } else { nil } }).fix == "use -p")
        #expect(finding.fix == "pin spki@any:sha256:\(Self.pin.digest.base64)")
    }
}
