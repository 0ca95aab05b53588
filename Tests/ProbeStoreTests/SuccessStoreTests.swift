import Foundation
import ProbeKit
import ProbeStore
import StoreWorkload
import Testing

/// What is remembered, and what is not.
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

    @Test("[R24] the file holds kind, digest, time and lifetime, and nothing of what was asked")
    func nothingOfTheQuestion() async throws {
        let scratch = try Scratch()
        try await StoreWorkload.run(0, with: Prober(modelCache: try scratch.store()))
        let entries = try #require(try await scratch.store().contents())
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
        let kept = try #require(try await scratch.store().contents()).map(\.key)
        #expect(Set(kept) == (try Set((0..<3).map(key))))
    }

    @Test("[R33] what nobody will ask for is forgotten, and what is from the future too") func pruning() async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        await store.recordSuccess(of: try key(2), at: noon.addingTimeInterval(86_400), for: .model)
        await store.recordSuccess(of: try key(0), at: noon, for: .pins)
        await store.recordSuccess(of: try key(1), at: noon, for: .model)
        await store.recordSuccess(of: try key(3), at: noon.addingTimeInterval(600), for: .model)
        let kept = try #require(await store.contents()).map(\.key)
        #expect(Set(kept) == (try [key(1), key(3)]))
    }

    @Test("[R32] clearing forgets successes, and baselines where that is asked") func clear() async throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let digest = PinDigest.sha256(of: [1])
        let baseline = try #require(Baseline(chain: [.init(cert: digest, spki: digest)], instant: noon))
        let target = CacheKey(kind: .baseline, digest: digest)
        for number in 0..<3 { await store.recordSuccess(of: try key(number), at: noon, for: .model) }
        await store.replaceBaseline(for: target, with: baseline)
        #expect(await store.clear() == 3)
        #expect(try await store.lastSuccess(of: key()) == nil)
        #expect(await store.contents()?.map(\.key) == [target])
        #expect(await store.clear(baselines: true) == 1)
        #expect(await store.contents() == [])
    }

    @Test("[R73] a baseline is replaced only by one that has certificates") func baselines() async throws {
        let scratch = try Scratch()
        let chain = (0..<3).map { number in
            Baseline.Certificate(cert: .sha256(of: [number]), spki: .sha256(of: [number, number]))
        }
        let target = CacheKey(kind: .baseline, digest: .sha256(of: [9]))
        let whole = Date(timeIntervalSince1970: 1_795_000_000)
        let good = try #require(Baseline(chain: chain, instant: whole))
        try await scratch.store().replaceBaseline(for: target, with: good)
        #expect(try await scratch.store().baseline(for: target) == good)
        #expect(Baseline(chain: [], instant: whole) == nil)
        let newer = try #require(Baseline(chain: [chain[1]], instant: whole))
        try await scratch.store().replaceBaseline(for: target, with: newer)
        #expect(try await scratch.store().baseline(for: target) == newer)
        #expect(try await scratch.store().baseline(for: CacheKey(kind: .baseline, digest: .sha256(of: [8]))) == nil)
    }
}
