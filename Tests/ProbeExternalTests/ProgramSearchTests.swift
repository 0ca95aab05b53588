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
            #expect(found == ["resolver foo", "transport foo", "transport text", "transport top"])
        }
    }

    /// One that can't be started is found, with the remedy.
    @Test func whatIsNotExecutableSaysSo() throws {
        try withFolder(["one/probe-transport-text", "probe-resolver-foo*", "probe-transport-foo.c"]) { folder in
            let link = folder.appending(path: "probe-transport-link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/nowhere/program")
            let search = try ProgramSearch(folders: [folder.path])
            #expect(search.named.map(\.name) == ["foo", "link", "text"] && search.unused.isEmpty)
            #expect(search.program(.resolver, "foo")?.absence == nil)
            let text = try #require(search.program(.transport, "text"))
            #expect(text.absence?.reason == "\(text.path) is not executable")
            #expect(text.absence?.remedy == "run 'chmod +x \(text.path)'")
            #expect(search.program(.transport, "link")?.absence?.reason.contains("/nowhere/program") == true)
            let error = #expect(throws: InputError.self) { try ProgramSearch(programs: [text.path]) }
            #expect(error?.remedy == "run 'chmod +x \(text.path)'")
        }
    }

    /// It stands in nobody's way.
    @Test func whatIsNotExecutableIsNoSecondProgram() throws {
        try withFolder(["a/probe-transport-foo", "b/probe-transport-foo*", "c/probe-transport-foo"]) { folder in
            let search = try ProgramSearch(folders: [folder.path])
            #expect(search.named.map(\.path).map { $0.contains("/b/") } == [true])
            let onPath = try ProgramSearch(searchPath: ["a", "b"].map { folder.appending(path: $0).path })
            #expect(onPath.program(.transport, "foo")?.absence == nil)
            let alone = try ProgramSearch(searchPath: [folder.appending(path: "a").path])
            #expect(alone.program(.transport, "foo")?.absence?.remedy.contains("chmod +x") == true)
        }
    }

    /// A folder that was named has programs, or a note; those of the search path are anybody's.
    @Test func aFolderWithoutProgramsIsNoted() throws {
        try withFolder(["none/readme", "named/probe-transport-Foo*", "named/probe-transport-foo~*"]) { folder in
            let (none, named) = (folder.appending(path: "none").path, folder.appending(path: "named").path)
            let search = try ProgramSearch(folders: [none, named], searchPath: [none])
            #expect(search.named.isEmpty && search.unused.count == 2)
            #expect(search.unused.first?.message == "the folder of plugins '\(none)' has no program")
            #expect(search.unused.last?.message.contains("can't be 'Foo'") == true)
            #expect(try ProgramSearch(searchPath: [none]).unused.isEmpty)
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

    /// A folder with what a program is made from, and no program, says how it is built.
    @Test func whatIsNotBuiltSaysSo() throws {
        try withFolder(["foo/Makefile", "bar/readme", "baz/Makefile", "baz/probe-transport-baz*"]) { folder in
            let search = try ProgramSearch(folders: [folder.path])
            #expect(search.unbuiltFolder(of: "foo") == folder.appending(path: "foo").path)
            #expect(search.unbuiltFolder(of: "bar") == nil && search.unbuiltFolder(of: "../foo") == nil)
            #expect(search.program(.transport, "baz") != nil)
            let error = #expect(throws: InputError.self) {
                try ProgramSearch(programs: [folder.appending(path: "foo/probe-transport-foo").path])
            }
            #expect(error?.message.hasSuffix("is not built") == true && error?.remedy.contains("make plugins") == true)
        }
    }

    @Test func whatIsNoFolderIsRefused() {
        #expect(throws: InputError.self) { try ProgramSearch(folders: ["/nowhere"]) }
    }
}
