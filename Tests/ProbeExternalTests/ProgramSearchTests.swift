import Foundation
import ProbeExternal
import ProbeKit
import Testing

@Suite struct ProgramSearchTests {
    /// Returns a folder with empty files: a name that ends with `*` is executable.
    private func withFolder(_ files: [String], _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "program-search-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in files {
            let file = folder.appending(path: name.replacing("*", with: ""))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("#!/bin/sh\n".utf8).write(to: file)
            let mode = name.hasSuffix("*") ? 0o755 : 0o644
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        }
        try body(folder)
    }

    @Test func foldersAndThoseBelowAreSearched() throws {
        try withFolder([
            "probe-transport-top*", "one/probe-transport-foo*", "one/probe-resolver-foo*", "one/probe-transport-Foo*",
            "one/probe-transport-text", "one/two/probe-transport-deep*", "one/other*",
        ]) { folder in
            let search = try ProgramSearch(folders: [folder.path])
            let found = search.named.map { "\($0.kind.rawValue) \($0.name)" }
            #expect(found == ["resolver foo", "transport foo", "transport top"])
        }
    }

    @Test func aNameIsFoundOnThePathOnlyWhenAskedFor() throws {
        try withFolder(["probe-transport-foo*"]) { folder in
            let search = try ProgramSearch(searchPath: ["/nowhere", folder.path])
            #expect(search.named.isEmpty)
            #expect(search.program(.transport, "foo")?.path.hasSuffix("/probe-transport-foo") == true)
            #expect(search.program(.resolver, "foo") == nil)
            #expect(search.program(.transport, "../foo") == nil)
        }
    }

    @Test func twoOfOneNameAreRefused() throws {
        try withFolder(["a/probe-transport-foo*", "b/probe-transport-foo*"]) { folder in
            #expect(throws: InputError.self) { try ProgramSearch(folders: [folder.path]) }
        }
    }

    @Test(arguments: ["/nowhere/probe-transport-foo", "/bin/sh", "/etc/passwd"])
    func whatIsNoProgramIsRefused(_ path: String) {
        #expect(throws: InputError.self) { try ProgramSearch(programs: [path]) }
    }

    @Test func whatIsNoFolderIsRefused() {
        #expect(throws: InputError.self) { try ProgramSearch(folders: ["/nowhere"]) }
    }
}
