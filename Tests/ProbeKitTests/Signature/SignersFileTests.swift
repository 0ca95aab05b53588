import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeSignatures

/// Trusted signers out of a file.
@Suite struct SignersFileTests {
    private static let pki = TestChain.pki

    private func record(_ name: String, certificate: String) throws -> String {
        let encoded = try JSONEncoder().encode(["name": name, "certificate": certificate])
        return String(decoding: encoded, as: UTF8.self)
    }

    private func error(_ text: String) -> InputError? {
        do throws(InputError) {
            _ = try SignersFile.signers(in: Array(text.utf8), folder: "")
            return nil
        } catch {
            return error
        }
    }

    @Test func everySignerIsRead() throws {
        let pem = try Self.pki.rootPEM()
        let text = "[\(try record("one", certificate: pem)), \(try record("two", certificate: pem))]"
        #expect(try SignersFile.signers(in: Array(text.utf8), folder: "").map(\.name) == ["one", "two"])
    }

    @Test func aNameStandsForOneSigner() throws {
        let one = try record("one", certificate: try Self.pki.rootPEM())
        #expect(error("[\(one), \(one)]")?.message == "two signers are named 'one'")
        #expect(error("[]")?.message == "nobody is named")
    }

    @Test func theUnreadablePartIsNamed() throws {
        let good = try record("one", certificate: try Self.pki.rootPEM())
        #expect(error("[\(good), {\"name\": \"two\"}]")?.message == "signer 2: 'certificate' is missing")
        #expect(error("[{\"name\": 1, \"certificate\": \"\"}]")?.message.hasPrefix("signer 1, 'name': ") == true)
        #expect(error("{}")?.message == "it has another type than it should")
    }

    @Test func pathsStartAtTheFilesFolder() throws {
        try ScratchFolder.withURL { folder in
            try Data(try Self.pki.rootPEM().utf8).write(to: folder.appending(path: "root.pem"))
            let file = folder.appending(path: "signers.json")
            for path in ["root.pem", folder.appending(path: "root.pem").path] {
                try Data("[\(try record("one", certificate: path))]".utf8).write(to: file)
                #expect(try SignersFile.read(file.path).map(\.name) == ["one"], "\(path)")
            }
            // Without a folder a path starts at the working directory.
            let missing = try #require(error("[\(try record("one", certificate: "no-such.pem"))]"))
            #expect(missing.message.contains("no-such.pem") && !missing.message.contains("/no-such.pem"))
        }
    }

    /// Some editors begin a file with a byte order mark.
    @Test func aMarkIsNoPartOfTheText() throws {
        let text = "[\(try record("one", certificate: try Self.pki.rootPEM()))]"
        let file = FileManager.default.temporaryDirectory.appending(path: "signers-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\u{feff}\(text)".utf8).write(to: file)
        #expect(try SignersFile.read(file.path).map(\.name) == ["one"])
    }

    @Test func aFileOfAtMostFourMebibytesIsRead() throws {
        try ScratchFolder.withURL { folder in
            let file = folder.appending(path: "signers.json")
            let text = Array("[\(try record("one", certificate: try Self.pki.rootPEM()))]".utf8)
            for (size, isRead) in [(4 << 20, true), (4 << 20 + 1, false)] {
                try Data(text + [UInt8](repeating: 0x20, count: size - text.count)).write(to: file)
                #expect(((try? SignersFile.read(file.path)) != nil) == isRead)
            }
        }
    }
}
