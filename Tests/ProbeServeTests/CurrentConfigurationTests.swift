import Foundation
import ProbeKit
import ProbeRun
import Synchronization
import Testing

@testable import ProbeServe

/// The configuration that counts after it is read anew.
@Suite struct CurrentConfigurationTests {
    /// Writes a configuration whose client certificate has this name.
    private static func write(_ name: String, to file: URL) throws {
        try "modules: {m: {prober: tcp, tcp: {tls: true, tls_config: {cert_file: /\(name), key_file: /k}}}}"
            .write(to: file, atomically: true, encoding: .utf8)
    }

    @Test("of two attempts at once, the one that began later counts") func theLaterAttemptCounts() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        defer { try? FileManager.default.removeItem(at: file) }
        let (isHeld, mayGoOn, isOver) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try Self.write("first", to: file)
        let current = try CurrentConfiguration(
            file.path, policies: [:],
            readIdentity: { files throws(InputError) in
                if files.certificate == "/slow" {
                    isHeld.signal()
                    mayGoOn.wait()
                }
                let key: [UInt8] = [2]
                return ClientIdentity(chain: [[1]], key: .pkcs8(Secret(copying: key.span)))
            }, clock: .system, warn: { _ in })
        func reload() {
            Thread.detachNewThread {
                try? current.reload()
                isOver.signal()
            }
        }
        try Self.write("slow", to: file)
        reload()
        try #require(isHeld.wait(timeout: .now() + .seconds(600)) == .success)
        try Self.write("last", to: file)
        reload()
        try #require(isOver.wait(timeout: .now() + .seconds(600)) == .success)
        mayGoOn.signal()
        try #require(isOver.wait(timeout: .now() + .seconds(600)) == .success)
        #expect(current.state.configuration.text.contains("/last"))
        #expect(current.state.generation == 1)
    }

    @Test("an attempt that fails is reported once, whoever asked for it") func failures() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID()).yml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "modules: {m: {prober: http}}".write(to: file, atomically: true, encoding: .utf8)
        let failures = Mutex<[String]>([])
        let current = try CurrentConfiguration(
            file.path, policies: [:], readIdentity: nil, clock: .system,
            fail: { text in failures.withLock { $0.append(text) } }, warn: { _ in })
        try current.reload()
        #expect(failures.withLock { $0 } == [])
        try "modules: {m: {prober: icmp}}".write(to: file, atomically: true, encoding: .utf8)
        let error = try #require(throws: InputError.self) { try current.reload() }
        #expect(failures.withLock { $0 } == ["the configuration was not read anew: \(error)"])
        #expect(current.state.generation == 1 && !current.state.isFresh)
    }
}
