import Foundation
import GRDB
import ProbeKit
import ProbePins
import ProbeRun
import ProbeStore
import StoreWorkload
import Testing

/// The remembered successes, and the ones that are not remembered.
@Suite struct SuccessStoreTests {
    private let noon = Date(timeIntervalSince1970: 1_795_000_000.123456)

    private func key(_ number: Int = 0) throws -> CacheKey { try #require(try StoreWorkload.key(.listed, number)) }

    @Test("[R23] a success outlives the process that had it") func persists() async throws {
        let scratch = try Scratch()
        let first = try scratch.store()
        #expect(await first.lastSuccess(of: try key()) == nil)
        await first.recordSuccess(of: try key(), at: noon, for: .model)
        let last = try #require(try await scratch.store().lastSuccess(of: try key()))
        // Never later than it was: else it would be one from the future.
        #expect((0..<0.001).contains(noon.timeIntervalSince(last)))
        #expect(try await scratch.store().lastSuccess(of: try key(1)) == nil)
        #expect(scratch.messages == [])
    }

    @Test("a document outlives the process that wrote it, and is replaced whole") func documents() async throws {
        let scratch = try Scratch()
        let first = try scratch.store()
        #expect(await first.documents() == [:])
        for text in ["one", "two"] { await first.replaceDocument(Data(text.utf8), named: "a") }
        await first.replaceDocument(Data(), named: "b")
        #expect(try await scratch.store().documents() == ["a": Data("two".utf8), "b": Data()])
        await first.removeDocuments(named: ["b", "never"])
        #expect(try await scratch.store().documents() == ["a": Data("two".utf8)])
        #expect(scratch.messages == [])
    }

    @Test("a file that another process holds is left alone for a while, and then used again") func lockedFile()
        async throws
    {
        let scratch = try Scratch()
        // It exists, with all its tables.
        #expect(await (try scratch.store()).documents() == [:])
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: scratch.path.description, configuration: configuration)
        let (patient, hasty) = (try scratch.store(pause: .seconds(3600)), try scratch.store(pause: .zero))
        try await holder.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN EXCLUSIVE")
        }
        #expect(await patient.documents() == nil)
        #expect(await hasty.documents() == nil)
        try await holder.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(await patient.documents() == nil)
        #expect(await hasty.documents() == [:])
        #expect(scratch.messages.contains { $0.contains("locked") }, "\(scratch.messages)")
    }

    @Test("an obstacle is reported once while it lasts, and again when it comes back") func reportedAgain()
        async throws
    {
        let scratch = try Scratch()
        let store = try scratch.store()
        #expect(await store.documents() == [:])
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let holder = try DatabaseQueue(path: scratch.path.description, configuration: configuration)
        for times in 1...2 {
            try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            // A reader does not wait for a writer, and its success disproves nothing about writing.
            for _ in times...2 {
                let isCleared = await store.clear() != nil
                #expect(!isCleared)
                #expect(await store.documents() == [:])
            }
            #expect(scratch.messages.count == times, "\(scratch.messages)")
            try await holder.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            await store.replaceDocument(Data(), named: "a")
            await store.removeDocuments(named: ["a"])
        }
    }

    @Test("[R24] the file holds kind, digest, time and lifetime, and nothing of what was asked")
    func nothingOfTheQuestion() async throws {
        let scratch = try Scratch()
        try await StoreWorkload.run(0, with: Prober(modelCache: try scratch.store()))
        let entries = try #require(try await scratch.store().contents()).successes
        #expect(try entries.map(\.key) == [key()])
        #expect(entries.first?.lifetime == .model)
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.folder) {
            let bytes = try scratch.bytes(name)
            for word in ["florida", "dc,", "n0.test", "n0"] { #expect(bytes.firstRange(of: Data(word.utf8)) == nil) }
        }
    }

    @Test("[R27] neither another list nor no answer is ever written") func failuresAreNotKept() async throws {
        let scratch = try Scratch()
        for number in 0..<3 { try await StoreWorkload.run(number, with: Prober(modelCache: try scratch.store())) }
        let kept = try #require(try await scratch.store().contents()).successes.map(\.key)
        #expect(Set(kept) == (try Set((0..<3).map(key))))
    }

    @Test("[R33] what nobody will ask for is forgotten, and what is from the future too") func pruning() async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        await store.recordSuccess(of: try key(2), at: noon.addingTimeInterval(86_400), for: .model)
        await store.recordSuccess(of: try key(0), at: noon, for: .pins)
        await store.recordSuccess(of: try key(1), at: noon, for: .model)
        await store.recordSuccess(of: try key(3), at: noon.addingTimeInterval(600), for: .model)
        let kept = try #require(await store.contents()).successes.map(\.key)
        #expect(Set(kept) == (try [key(1), key(3)]))
    }

    @Test("[R32] clearing forgets successes, and baselines where that is asked") func clear() async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        for number in 0..<3 { await store.recordSuccess(of: try key(number), at: noon, for: .model) }
        await store.replaceBaseline(Self.baseline(1), for: "a")
        let first = try #require(await store.clear())
        #expect(first == (3, 0))
        #expect(try await store.lastSuccess(of: key()) == nil)
        #expect(await store.baseline(for: "a") == Self.baseline(1))
        let second = try #require(await store.clear(baselines: true))
        #expect(second == (0, 1))
        let contents = try #require(await store.contents())
        #expect(contents.successes == [] && contents.baselines == 0)
    }

    @Test("[R73] a baseline outlives the process, and is replaced only by one that has keys") func baselines()
        async throws
    {
        let scratch = try Scratch()
        try await scratch.store().replaceBaseline(Self.baseline(1), for: "a.test:443 openssl")
        #expect(try await scratch.store().baseline(for: "a.test:443 openssl") == Self.baseline(1))
        #expect(try await scratch.store().baseline(for: "a.test:443 gnutls") == nil)
        let empty = Baseline(leaf: .sha256(of: [0]), keys: [], pins: [])
        try await scratch.store().replaceBaseline(empty, for: "a.test:443 openssl")
        #expect(try await scratch.store().baseline(for: "a.test:443 openssl") == Self.baseline(1))
        try await scratch.store().replaceBaseline(Self.baseline(2), for: "a.test:443 openssl")
        #expect(try await scratch.store().baseline(for: "a.test:443 openssl") == Self.baseline(2))
        #expect(scratch.messages == [])
    }

    /// A child of a cancelled group is cancelled from its beginning.
    @Test("what a cancelled task asks for is kept and read like anything else") func cancelledTask() async throws {
        let scratch = try Scratch()
        let (store, listed) = (try scratch.store(), try key())
        await store.replaceDocument(Data(), named: "old")
        await withDiscardingTaskGroup { [noon] group in
            group.cancelAll()
            group.addTask {
                #expect(Task.isCancelled)
                await store.recordSuccess(of: listed, at: noon, for: .model)
                await store.replaceBaseline(Self.baseline(1), for: "a")
                await store.replaceDocument(Data("one".utf8), named: "new")
                await store.removeDocuments(named: ["old"])
                #expect(await store.lastSuccess(of: listed) != nil)
            }
        }
        let next = try scratch.store()
        #expect(await next.lastSuccess(of: listed) != nil)
        #expect(await next.baseline(for: "a") == Self.baseline(1))
        #expect(await next.documents() == ["new": Data("one".utf8)])
        #expect(scratch.messages == [])
    }

    private static func baseline(_ number: UInt8) -> Baseline {
        Baseline(
            leaf: .sha256(of: [number]), keys: (0..<3).map { .sha256(of: [number, $0]) },
            pins: number == 1 ? [] : [.sha256(of: [number, 0])])
    }
}
