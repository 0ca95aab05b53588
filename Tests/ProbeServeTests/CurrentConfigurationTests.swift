import Foundation
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeServe

/// The configuration that counts after it is read anew.
@Suite(.bounded) struct CurrentConfigurationTests {
    /// A configuration in a file, which hangs when it is read with the client certificate `/slow` or `/slower`.
    private final class Slow: Sendable {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        let failures = Mutex<[String]>([])
        /// The readings with that certificate that have begun, and that hang.
        let begun = Mutex(0)
        let mayGoOn = DispatchSemaphore(value: 0)
        let slowerMayGoOn = DispatchSemaphore(value: 0)

        func current(patience: Duration = .seconds(1800)) throws -> CurrentConfiguration {
            try write("first")
            return try CurrentConfiguration(
                file.path, policies: [:],
                readIdentity: { files throws(InputError) in
                    let gates = ["/slow": self.mayGoOn, "/slower": self.slowerMayGoOn]
                    if let gate = gates[files.certificate] {
                        self.begun.withLock { $0 += 1 }
                        gate.wait()
                    }
                    let key: [UInt8] = [2]
                    return ClientIdentity(chain: [[1]], key: .pkcs8(Secret(copying: key.span)))
                }, clock: .system, fail: { text in self.failures.withLock { $0.append(text) } }, warn: { _ in },
                patience: patience)
        }

        /// Writes a configuration whose client certificate has this name.
        func write(_ name: String) throws {
            try "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: /\(name), key_file: /k}}}}"
                .write(to: file, atomically: true, encoding: .utf8)
        }

        /// Returns once as many readings hang as have begun.
        func hangs(_ count: Int) async throws {
            while begun.withLock({ $0 }) < count { try await Self.turn() }
        }

        static func turn() async throws {
            try Task.checkCancellation()
            await Task.yield()
        }

        deinit { try? FileManager.default.removeItem(at: file) }
    }

    @Test("of two attempts at once, the one that began later counts") func theLaterAttemptCounts() async throws {
        let slow = Slow()
        let current = try slow.current()
        try slow.write("slow")
        let first = Task { try await current.reload() }
        try await slow.hangs(1)
        try slow.write("last")
        try await current.reload()
        slow.mayGoOn.signal()
        try await first.value
        #expect(current.state.configuration.text.contains("/last"))
        #expect(current.state.generation == 1)
    }

    @Test("attempts that hang are two at most, and those who ask meanwhile share the next one, which sees their change")
    func attemptsThatHang() async throws {
        let slow = Slow()
        let current = try slow.current()
        try slow.write("slow")
        let hanging = (0..<2).map { _ in Task { try await current.reload() } }
        try await slow.hangs(2)
        let sharing = (0..<20).map { _ in Task { try await current.reload() } }
        while current.waiting < 22 { try await Slow.turn() }
        #expect(slow.begun.withLock { $0 } == 2)
        try slow.write("last")
        slow.mayGoOn.signal()
        for task in sharing { try await task.value }
        #expect(current.state.configuration.text.contains("/last"))
        slow.mayGoOn.signal()
        for task in hanging { try await task.value }
        #expect(current.state.configuration.text.contains("/last"))
        // Of the two that hung one ended before the shared one, and the other is older than that.
        #expect(slow.begun.withLock { $0 } == 2 && current.state.generation == 2)
    }

    @Test("an attempt that hangs is waited for with a limit, and counts once it ends") func late() async throws {
        let slow = Slow()
        let current = try slow.current(patience: .zero)
        try slow.write("slow")
        let error = await #expect(throws: InputError.self) { try await current.reload() }
        #expect(error?.message.hasSuffix("or a file that it names, was not read within 0 seconds") == true)
        #expect(slow.failures.withLock { $0.count } == 1 && !current.state.isFresh)
        slow.mayGoOn.signal()
        while !current.state.isFresh { try await Slow.turn() }
        #expect(current.state.configuration.text.contains("/slow"))
    }

    @Test("an attempt that ends late is not the last word while a later one hangs")
    func lateBesideALaterOne() async throws {
        let slow = Slow()
        let current = try slow.current(patience: .zero)
        for (index, name) in ["slow", "slower"].enumerated() {
            try slow.write(name)
            await #expect(throws: InputError.self) { try await current.reload() }
            try await slow.hangs(index + 1)
        }
        slow.mayGoOn.signal()
        while current.state.generation < 1 { try await Slow.turn() }
        let text = current.state.configuration.text
        #expect(text.contains("/slow") && !text.contains("/slower") && !current.state.isFresh)
        slow.slowerMayGoOn.signal()
        while !current.state.isFresh { try await Slow.turn() }
        #expect(current.state.configuration.text.contains("/slower"))
    }

    @Test("an attempt that can't begin for two that hang says so") func neverBegun() async throws {
        let slow = Slow()
        let current = try slow.current(patience: .zero)
        try slow.write("slow")
        for hanging in 1...2 {
            await #expect(throws: InputError.self) { try await current.reload() }
            try await slow.hangs(hanging)
        }
        try slow.write("last")
        let error = await #expect(throws: InputError.self) { try await current.reload() }
        #expect(error?.message.hasSuffix("was not read: earlier readings hang") == true)
        for _ in 0..<2 { slow.mayGoOn.signal() }
        while !current.state.configuration.text.contains("/last") { try await Slow.turn() }
    }

    @Test("whoever asked goes when the task ends, though the attempt hangs") func cancelled() async throws {
        let slow = Slow()
        let current = try slow.current()
        try slow.write("slow")
        let asking = Task { try await current.reload() }
        try await slow.hangs(1)
        asking.cancel()
        let error = await #expect(throws: InputError.self) { try await asking.value }
        #expect(error?.message.hasPrefix("the server ends before ") == true)
        // Nothing is known about the file.
        #expect(slow.failures.withLock(\.isEmpty) && current.state.isFresh && current.waiting == 0)
        slow.mayGoOn.signal()
    }

    @Test("an attempt that fails is reported once, whoever asked for it") func failures() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "modules: {m: {prober: http}}".write(to: file, atomically: true, encoding: .utf8)
        let failures = Mutex<[String]>([])
        let current = try CurrentConfiguration(
            file.path, policies: [:], readIdentity: nil, clock: .system,
            fail: { text in failures.withLock { $0.append(text) } }, warn: { _ in })
        try await current.reload()
        #expect(failures.withLock { $0 } == [])
        try "modules: {m: {prober: icmp}}".write(to: file, atomically: true, encoding: .utf8)
        let error = try await #require(throws: InputError.self) { try await current.reload() }
        #expect(failures.withLock { $0 } == ["the configuration was not read anew: \(error)"])
        #expect(current.state.generation == 1 && !current.state.isFresh)
    }
}
