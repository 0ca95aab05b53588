import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeTestSupport
import Testing

/// Bytes that are not UTF-8 in files of the system.
@Suite(.bounded) struct SystemFileTests {
    /// Writes a file in a folder of its own.
    private func withFolder(
        _ files: [String: [UInt8]], _ body: (_ folder: String) throws -> Void
    ) throws {
        try ScratchFolder.withURL { folder in
            for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
            try body(folder.path)
        }
    }

    /// A comment in Latin 1, as glibc reads it.
    @Test func aCommentInAnotherEncodingHidesNoServer() throws {
        let text: [UInt8] = Array("# B".utf8) + [0xfc] + Array("ro\nnameserver 192.0.2.1 # M".utf8) + [0xfc]
        try withFolder(["resolv.conf": text + Array("nchen\nnameserver 192.0.2.2\n".utf8)]) { folder in
            let servers = SystemResolvers.endpoints(at: "\(folder)/resolv.conf")
            #expect(servers.map(\.description) == ["192.0.2.1:53", "192.0.2.2:53"])
            #expect(SystemResolvers.endpoints(at: "\(folder)/none").isEmpty)
        }
    }

    /// The kernel cuts a thread's name after 15 bytes, and here within a character.
    @Test func aThreadMayHaveAnyName() throws {
        let files: [String: [UInt8]] = [
            "stat": Array("7 (probe-resolver".utf8) + [0xc3] + Array(") R 1".utf8), "schedstat": Array("5 9 1\n".utf8),
        ]
        try withFolder(files) { folder in
            let thread = folder.split(separator: "/").last.map(String.init) ?? ""
            let parent = String(folder.dropLast(thread.count + 1))
            let start = ThreadTime.now(ofThread: thread, in: parent)
            // One that is ready to work has had no time of its own.
            #expect(ThreadTime.now(ofThread: thread, in: parent).own(since: start) == .zero)
        }
    }
}
