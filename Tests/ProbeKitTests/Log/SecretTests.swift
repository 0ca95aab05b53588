import Foundation
import ProbeKit
import ProbeRun
import Synchronization
import Testing

@Suite struct SecretTests {
    private func write(_ text: String, mode: Int) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-secret-\(UUID())").path
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        return file
    }

    private func bytes(_ secret: Secret) -> [UInt8] {
        secret.withBytes { span in
            var bytes: [UInt8] = []
            for index in 0..<span.byteCount {
                bytes.append(unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self))
            }
            return bytes
        }
    }

    @Test("[R75] a secret shows its bytes to whoever asks, and to nobody else") func secretsAreSilent() throws {
        let secret = Secret(copying: Array("hunter2".utf8).span)
        #expect(bytes(secret) == Array("hunter2".utf8))
        #expect(secret.count == 7)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped] {
            #expect(!text.contains("hunter2") && text.contains("<redacted>"))
        }
        #expect(!((secret as Any) is any Encodable))
    }

    private struct FillFailure: Error {}

    /// Memory that is released is anybody's, also where the secret never came to be.
    @Test("[R66] a secret is wiped before its memory is released", arguments: [false, true])
    func wiping(fails: Bool) throws {
        let left = Mutex<[UInt8]>([])
        func use() throws {
            let secret = unsafe try Secret(
                capacity: 7,
                releasedBy: { memory in
                    left.withLock { $0 = unsafe Array(memory) }
                    unsafe memory.deallocate()
                },
                filledBy: { room in
                    for (index, byte) in "hunter2".utf8.enumerated() { unsafe room[index] = byte }
                    if fails { throw FillFailure() }
                    return 7
                })
            withExtendedLifetime(secret) {
                let released = left.withLock { $0 }
                #expect(bytes(secret) == Array("hunter2".utf8) && released.isEmpty)
            }
        }
        if fails {
            #expect(throws: FillFailure.self) { try use() }
        } else {
            try use()
        }
        let released = left.withLock { $0 }
        #expect(released == [UInt8](repeating: 0, count: 7))
    }

    @Test("a secret is read from a file that is nobody else's") func privateFiles() throws {
        let file = try write("s3cret\n", mode: 0o600)
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(bytes(try SecretFile.read(file)) == Array("s3cret\n".utf8))
    }

    @Test("[R68] a secret that others may reach is refused", arguments: [0o640, 0o604, 0o620, 0o666, 0o610])
    func openFiles(mode: Int) throws {
        let file = try write("s3cret", mode: mode)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let error = try #require(throws: InputError.self) { try SecretFile.read(file) }
        #expect(error.source == .file)
        #expect(error.remedy == "chmod 600 \(file)")
        #expect(!error.description.contains("s3cret"))
    }

    @Test("a service's credential is read by an access list, whose mask is in the group's bits")
    func credentials() throws {
        let files = try [0o440, 0o640, 0o460, 0o450, 0o444].map { try write("s3cret", mode: $0) }
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        let folder = URL(fileURLWithPath: files[0]).deletingLastPathComponent().path + "/"
        for (file, isRead) in zip(files, [true, true, false, false, false]) {
            for place in [folder, String(folder.dropLast())] {
                let secret = try? SecretFile.read(file, credentials: place)
                #expect((secret != nil) == isRead, "\(file)")
            }
            // Another folder is not the service manager's.
            for place in [nil, "/run/credentials/x", folder + "below", String(folder.prefix(1))] {
                #expect(throws: InputError.self) { try SecretFile.read(file, credentials: place) }
            }
        }
    }

    @Test("[R67] an empty secret is an error, and so is what is no file or too large") func unusableFiles() throws {
        let empty = try write("", mode: 0o600)
        let large = try write(String(repeating: "x", count: SecretFile.maximumBytes + 1), mode: 0o600)
        defer { for file in [empty, large] { try? FileManager.default.removeItem(atPath: file) } }
        for (path, word) in [
            (empty, "empty"), (large, "at most"), ("/dev/null", "not a regular file"), ("/nowhere", "can't be read"),
        ] {
            let error = try #require(throws: InputError.self) { try SecretFile.read(path) }
            #expect(error.description.contains(word), "\(error)")
        }
    }
}
