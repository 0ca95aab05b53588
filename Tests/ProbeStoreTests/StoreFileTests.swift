import Foundation
import GRDB
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeStore
import StoreWorkload
import Testing

/// Files that are damaged, foreign or out of reach: each remembers nothing.
@Suite struct StoreFileTests {
    private let noon = Date(timeIntervalSince1970: 1_795_000_000)
    private func key(_ number: Int = 0) throws -> CacheKey { try #require(try StoreWorkload.key(.listed, number)) }

    /// Returns a store's file with a hundred successes, closed.
    private func filled(_ scratch: Scratch) async throws -> Data {
        do {
            let store = try scratch.store()
            for number in 0..<100 { await store.recordSuccess(of: try key(number), at: noon, for: .model) }
        }
        let queue = try DatabaseQueue(path: scratch.path.description)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        return try scratch.bytes()
    }

    @Test("a damaged cache is moved aside, a new one remembers", arguments: ["tail", "middle", "root"])
    func damage(_ kind: String) async throws {
        let scratch = try Scratch()
        var bytes = try await filled(scratch)
        #expect(bytes.count > 12_288)
        switch kind {
        case "tail": bytes.removeLast(6000)
        case "middle": bytes.replaceSubrange(8192..<12_288, with: Data(repeating: 0xa5, count: 4096))
        default: bytes.replaceSubrange(100..<1000, with: Data(repeating: 0xff, count: 900))
        }
        try scratch.write(bytes)
        let store = try scratch.store()
        #expect(try await store.lastSuccess(of: key()) == nil)
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try await scratch.store().lastSuccess(of: key()) == noon)
        #expect(scratch.messages.count == 1 && scratch.messages.allSatisfy { $0.contains("damaged") })
        #expect(try scratch.bytes("cache.sqlite.damaged") == bytes)
    }

    @Test(
        "of many that find a cache damaged or missing one makes the next, and none loses what another keeps there",
        arguments: ["damaged", "empty", "missing"], 0..<8)
    func replacedByOne(_ kind: String, _: Int) async throws {
        let scratch = try Scratch()
        var bytes = try await filled(scratch)
        bytes.replaceSubrange(100..<1000, with: Data(repeating: 0xff, count: 900))
        try scratch.write(kind == "damaged" ? bytes : Data())
        if kind == "missing" { try FileManager.default.removeItem(atPath: scratch.path.description) }
        let instant = noon
        let keys = try (0..<8).map { try key($0) }
        let stores = try keys.map { (try scratch.store(), $0) }
        await withDiscardingTaskGroup { group in
            for (store, key) in stores {
                group.addTask { await store.recordSuccess(of: key, at: instant, for: .model) }
            }
        }
        let kept = try #require(try await scratch.store().contents()).successes.map(\.key)
        #expect(Set(kept) == Set(keys))
        #expect(scratch.messages.count == (kind == "damaged" ? 1 : 0), "\(scratch.messages)")
        if kind == "damaged" { #expect(try scratch.bytes("cache.sqlite.damaged") == bytes) }
    }

    @Test("a store whose lock can't be opened is left as it is")
    func unusableLock() async throws {
        let scratch = try Scratch()
        var bytes = try await filled(scratch)
        bytes.removeLast(6000)
        try scratch.write(bytes)
        let lock = scratch.path.description + "-lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: "\(scratch.folder)/elsewhere")
        #expect(try await scratch.store().lastSuccess(of: key()) == nil)
        #expect(scratch.messages.count == 1 && scratch.messages.allSatisfy { $0.contains("cache.sqlite-lock") })
        #expect(try scratch.bytes() == bytes, "it is left as it is")
    }

    @Test("a damaged cache takes the place of none that was moved aside earlier, but for the ninth", arguments: 0...9)
    func earlierDamage(_ count: Int) async throws {
        let scratch = try Scratch()
        var bytes = try await filled(scratch)
        bytes.removeLast(6000)
        try scratch.write(bytes)
        let names = ["cache.sqlite.damaged"] + (2...9).map { "cache.sqlite.damaged-\($0)" }
        for name in names.prefix(count) {
            try Data(name.utf8).write(to: URL(filePath: "\(scratch.folder)/\(name)"))
        }
        #expect(try await scratch.store().lastSuccess(of: key()) == nil)
        for (index, name) in names.enumerated() where index < min(count, 8) {
            #expect(try scratch.bytes(name) == Data(name.utf8))
        }
        #expect(try scratch.bytes(names[min(count, 8)]) == bytes)
    }

    @Test("damage done while a cache is open is no crash, and mended by the next who opens it")
    func damageWhileOpen() async throws {
        let scratch = try Scratch()
        _ = try await filled(scratch)
        let store = try scratch.store()
        #expect(try await store.lastSuccess(of: key()) == noon)
        try FileHandle(forWritingTo: URL(filePath: scratch.path.description)).truncate(atOffset: 4096)
        for number in 0..<100 {
            // SQLite's content in memory may still be there.
            #expect(try await [nil, noon].contains(store.lastSuccess(of: key(number))))
            await store.recordSuccess(of: try key(number), at: noon, for: .model)
        }
        let next = try scratch.store()
        await next.recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try await scratch.store().lastSuccess(of: key()) == noon)
        #expect(scratch.messages.contains { $0.contains("damaged") }, "\(scratch.messages)")
    }

    @Test("a cache that is removed or replaced while it is open is opened anew, without what was in its journals")
    func removedWhileOpen() async throws {
        let scratch = try Scratch()
        let (store, other) = (try scratch.store(), "\(scratch.folder)/other.sqlite")
        await (try scratch.store(StorePath(other))).recordSuccess(of: try key(7), at: noon, for: .model)
        for number in 0..<3 {
            await store.recordSuccess(of: try key(number), at: noon, for: .model)
            let kept = try #require(try await scratch.store().contents()).successes.map(\.key)
            #expect(try kept == [key(number)], "what was removed is there again")
            try FileManager.default.removeItem(atPath: scratch.path.description)
        }
        // The third removal was not noticed yet; each is a loss of its own.
        #expect(scratch.messages.count == 2 && scratch.messages.allSatisfy { $0.contains("was removed or replaced") })
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        let queue = try DatabaseQueue(path: other)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        #expect(unsafe rename(other, scratch.path.description) == 0)
        #expect(try await store.lastSuccess(of: key(7)) == noon)
        #expect(try await store.lastSuccess(of: key()) == nil)
    }

    @Test("what another process has still open of a removed file is not read as the new one's") func journalsLeft()
        async throws
    {
        let scratch = try Scratch()
        let store = try scratch.store()
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        try FileManager.default.removeItem(atPath: scratch.path.description)
        let other = try scratch.store()
        await other.recordSuccess(of: try key(1), at: noon, for: .model)
        let own = try key(1)
        #expect(await other.contents()?.successes.map(\.key) == [own])
        await store.recordSuccess(of: try key(2), at: noon, for: .model)
        #expect(try await other.lastSuccess(of: key(2)) == noon, "both have the same file open")
    }

    @Test("one that others can write to and that takes its place is not used") func replacedByOthers() async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        let files = FileManager.default
        try files.copyItem(atPath: scratch.path.description, toPath: "\(scratch.folder)/copy")
        try files.removeItem(atPath: scratch.path.description)
        try files.moveItem(atPath: "\(scratch.folder)/copy", toPath: scratch.path.description)
        try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: scratch.path.description)
        #expect(await store.contents() == nil)
        #expect(scratch.messages.contains { $0.contains("others can write to the cache") }, "\(scratch.messages)")
    }

    @Test("an empty file becomes a cache") func empty() async throws {
        let scratch = try Scratch()
        try scratch.write(Data())
        try await scratch.store().recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try await scratch.store().lastSuccess(of: key()) == noon)
        #expect(scratch.messages == [])
    }

    @Test(
        "what is not ours is left alone",
        arguments: ["text", "text that begins like a database", "database", "trigger", "newer"])
    func foreign(_ kind: String) async throws {
        let scratch = try Scratch()
        switch kind {
        case "text": try scratch.write(Data("my notes\n".utf8))
        case "text that begins like a database": try scratch.write(Data("SQLite format 3\0 is a header".utf8))
        default:
            if kind != "database" { _ = try await filled(scratch) }
            let queue = try DatabaseQueue(path: scratch.path.description)
            let change =
                switch kind {
                case "database": "CREATE TABLE success (kind, key, instant, lifetime)"
                case "newer": "INSERT INTO grdb_migrations VALUES ('3')"
                default: "CREATE TRIGGER t AFTER INSERT ON success BEGIN DELETE FROM baseline; END"
                }
            try await queue.write { try $0.execute(sql: change) }
            try queue.close()
        }
        let before = try scratch.bytes()
        let store = try scratch.store(scratch.path.called("diary"))
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try await store.lastSuccess(of: key()) == nil)
        #expect(await store.contents() == nil)
        #expect(try scratch.bytes() == before)
        #expect(await store.obstacle == .content)
        #expect(scratch.messages.count == 1, "\(scratch.messages)")
        #expect(scratch.messages.allSatisfy { $0.contains(" diary ") }, "\(scratch.messages)")
    }

    @Test("a place that can't be written remembers nothing", arguments: ["/proc/self/none/c", "/proc/1/c"])
    func unwritable(_ path: String) async throws {
        let scratch = try Scratch()
        let store = try scratch.store(StorePath(path).called("diary"))
        await store.recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try await store.lastSuccess(of: key()) == nil)
        #expect(await store.obstacle == .place)
        #expect(scratch.messages.count == 1)
        #expect(scratch.messages.allSatisfy { $0.contains(" the diary") }, "\(scratch.messages)")
    }

    @Test("a cache is its owner's alone: 0600 in 0700") func modes() async throws {
        let scratch = try Scratch()
        let path = StorePath("\(scratch.folder)/a/b/cache.sqlite")
        await (try scratch.store(path)).recordSuccess(of: try key(), at: noon, for: .model)
        #expect(try scratch.mode(of: "\(scratch.folder)/a/b") == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(scratch.folder)/a/b") {
            #expect(try scratch.mode(of: "\(scratch.folder)/a/b/\(name)") == 0o600, "\(name)")
        }
    }

    @Test("[R33] a file that others can write is refused", arguments: ["file", "folder", "link", "pipe"])
    func othersFile(_ kind: String) async throws {
        let scratch = try Scratch()
        _ = try await filled(scratch)
        let files = FileManager.default
        switch kind {
        case "file": try files.setAttributes([.posixPermissions: 0o620], ofItemAtPath: scratch.path.description)
        case "folder": try files.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: scratch.folder)
        case "pipe":
            try files.removeItem(atPath: scratch.path.description)
            #expect(unsafe mkfifo(scratch.path.description, 0o600) == 0)
        default:
            try files.moveItem(atPath: scratch.path.description, toPath: "\(scratch.folder)/elsewhere")
            try files.createSymbolicLink(
                atPath: scratch.path.description, withDestinationPath: "\(scratch.folder)/elsewhere")
        }
        let error = #expect(throws: InputError.self) { try scratch.store() }
        #expect(error?.source == .file)
    }

    @Test("[R32] the standard place is the user's cache folder") func standardPlace() throws {
        let path = try StorePath.standard(environment: ["XDG_CACHE_HOME": "/x", "HOME": "/h"])
        #expect(path.description == "/x/probe/probe.sqlite")
        for relative in [nil, "", "x"] as [String?] {
            let path = try StorePath.standard(environment: ["XDG_CACHE_HOME": relative ?? "", "HOME": "/h"])
            #expect(path.description == "/h/.cache/probe/probe.sqlite")
        }
        #expect(throws: InputError.self) { try StorePath.standard(environment: ["HOME": "h"]) }
        #expect(StorePath("/").description == "/probe.sqlite")
    }
}
