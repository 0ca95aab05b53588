import Foundation
import Testing

/// The optimizer of Swift 6.3 pushes a task-local function as if it were of another size, and the program ends with a
/// segmentation fault in a release alone: a function stands in a structure there.
@Suite struct TaskLocalTests {
    /// Returns the declarations of task-local functions in a source.
    static func functions(in text: String) -> [String] {
        text.matches(of: #/@TaskLocal\s[^\n]*var \w+\s*:[^\n=]*->/#).map { String($0.output) }
    }

    @Test func noTaskLocalIsAFunction() throws {
        for module in try SourceTree.modules() {
            for file in try SourceTree.files(of: module) {
                let found = Self.functions(in: try String(contentsOf: file, encoding: .utf8))
                #expect(found == [], "\(file.lastPathComponent)")
            }
        }
    }

    @Test(arguments: [
        ("@TaskLocal static var a: (@Sendable (Int) -> Void)?", 1), ("@TaskLocal static var a: () -> Int = { 1 }", 1),
        ("@TaskLocal static var a = Words { _ in nil }", 0), ("@TaskLocal static var a: Gathering?", 0),
    ])
    func aFunctionIsFound(text: String, count: Int) {
        #expect(Self.functions(in: text).count == count)
    }
}
