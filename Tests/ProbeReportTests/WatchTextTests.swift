import ProbeKit
import ProbeReport
import ProbeRun
import Testing

/// Changes of a watch as text.
@Suite struct WatchTextTests {
    /// A profile names its services as it likes.
    @Test func aServicesNameHasNoControlCharacters() {
        let subject = WatchSubject(name: "good.test:443", service: "a\u{1b}[2J\nb", transport: "nio")
        let change = StatusChange(
            kind: .status, time: GivenResult.instant, subject: subject, from: nil, to: .pass, finding: nil,
            result: GivenResult.of("nio", [], service: subject.service))
        let text = WatchText().text(change)
        #expect(text.hasSuffix("  status  a\\u{1b}[2J\\u{a}b good.test:443 nio  pass"), "\(text)")
    }
}
