import ProbeKit
import ProbeReport
import Testing

@testable import ProbeCommand

/// The text of a lint.
@Suite struct LintTextTests {
    @Test func aFilesNameHasNoControlCharacters() {
        #expect(LintText(style: Style(isColoured: false)).text([], of: "a\u{1b}b") == "a\\u{1b}b: nothing to fix")
    }
}
