import Foundation
import Testing

/// Each guide of the documentation, followed to the letter. It builds packages of its own, which takes minutes: `make guides`
/// runs it.
@Suite(
    .serialized, .timeLimit(.minutes(40)),
    .enabled(if: ProcessInfo.processInfo.environment["PROBE_GUIDES"] != nil, "make guides runs it"))
struct GuideTests {
    @Test(arguments: ["WritingATransport", "WritingAResolver", "WritingAPolicy", "ABackendInAnotherLanguage"])
    func leadsWhereItSays(_ name: String) throws {
        let file = Reader.root.appending(path: "Sources/ProbeKit/ProbeKit.docc/\(name).md")
        try Reader.follow(try Guide(try String(contentsOf: file, encoding: .utf8)))
    }
}

@Suite struct GuideReadingTests {
    @Test func stepsAreTheFencedBlocks() throws {
        let guide = try Guide(
            "Do `this`:\n\n```sh\ncd /tmp/x\nls\n```\n\nWrite ``B`` for\n(``C``). Write `a/b.c`:\n\n```c\nint x;\n```\n\n```text\nx\n```\n"
        )
        #expect(
            guide.steps == [
                .commands(["cd /tmp/x", "ls"]), .file(path: "a/b.c", text: "int x;\n"), .output(["x"]),
            ])
    }

    @Test func aBlockWithoutAFileIsNoStep() {
        #expect(throws: Guide.Unnamed.self) { try Guide("Write:\n\n```c\nint x;\n```\n") }
    }

    /// Another user's files in a guide's place are left alone, and the guide can still be followed.
    @Test func aReaderHasPlacesOfItsOwn() throws {
        let taken = URL(filePath: "/tmp/probe-guide-\(UUID())")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: taken) }
        let place = taken.path
        try Reader.follow(
            try Guide(
                "```sh\nmkdir \(place)\ncd \(place)\n```\nWrite `a`:\n```c\n\(place)/a\n```\n"
                    + "```sh\ncat \(place)/a\n```\n```text\n\(place)/a\n```\n"))
        let left = try FileManager.default.contentsOfDirectory(atPath: place)
        #expect(left.isEmpty)
    }
}
