import Foundation
import ProbeKit
import ProbePlatform
import Testing

@testable import ProbeCommand

@Suite struct OutputFileTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-output-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func aLinkIsFollowedAndRightsAreKept() throws {
        try inFolder { folder in
            let file = folder.appending(path: "file").path
            let link = folder.appending(path: "link").path
            try Data("old".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            try OutputFile(path: link).check()
            try OutputFile(path: link).write(Array("new".utf8))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        }
    }

    @Test func aPipeIsWrittenTo() throws {
        try inFolder { folder in
            let path = folder.appending(path: "pipe").path
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try OutputFile(path: path).check()
            try OutputFile(path: path).write(Array("new".utf8))
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(unsafe read(reader, &bytes, bytes.count) == 3)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.type] as? FileAttributeType != .typeRegular)
        }
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        try inFolder { folder in
            let file = OutputFile(path: folder.appending(path: "missing/file").path)
            let missing = try #require(throws: InputError.self) { try file.check() }
            #expect(missing.message.hasSuffix("can't be written: its folder does not exist"))
            let refused = try #require(throws: InputError.self) { try file.write([]) }
            #expect(refused.message.hasSuffix("can't be written: No such file or directory"))
        }
    }

    @Test func aFullDeviceIsSaid() throws {
        let full = try #require(throws: InputError.self) { try OutputFile(path: "/dev/full").write([1]) }
        #expect(full.message == "/dev/full can't be written: No space left on device")
    }
}
