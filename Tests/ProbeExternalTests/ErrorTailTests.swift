import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// Standard error of a program is one line of a message, which a person can read.
@Suite(.bounded) struct ErrorTailTests {
    private func text(_ written: String) -> String {
        var tail = ErrorTail()
        tail.append(Array(written.utf8))
        return tail.text
    }

    @Test func aTracebackIsOneLine() {
        let traceback = "Traceback (most recent call last):\n  File \"a.py\", line 1\r\n\n    f()\nValueError: no\n"
        #expect(text(traceback) == #"Traceback (most recent call last): | File "a.py", line 1 | f() | ValueError: no"#)
        #expect(text("") == "" && text("\n \n") == "" && text("one") == "one")
    }

    @Test func ofManyLinesTheFirstAndTheLastAreShown() {
        let lines = (1...30).map { "line \($0)" }
        let shown = lines.prefix(4) + ["…"] + lines.suffix(8)
        #expect(text(lines.joined(separator: "\n")) == shown.joined(separator: " | "))
    }

    @Test func theEndIsKept() {
        let long = String(repeating: "x", count: 1 << 10)
        let flood = (0..<40).map { _ in long }.joined(separator: "\n") + "\nthe end"
        #expect(text(flood).hasSuffix(" | the end") && text(flood).utf8.count < ProgramLimits.errorBytes)
    }
}
