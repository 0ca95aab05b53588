import Foundation
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeCommand

@Suite(.bounded) struct OutputFileTests {
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

    @Test(
        "no room ends with 70 wherever it is missed, a path that can't be opened with 65",
        arguments: [
            (
                "profile convert pins.txt --to hex > /dev/full", 70,
                "the output can't be written: No space left on device"
            ),
            (
                "profile convert pins.txt --to hex --output /dev/full", 70,
                "/dev/full can't be written: No space left on device"
            ),
            (
                "profile convert pins.txt --to hex --output missing/file", 65,
                "missing/file can't be written: No such file"
            ),
            ("conformance --divergences --output missing/file", 65, "missing/file can't be written: No such file"),
            ("lab --check --ca-file missing/file", 65, "--ca-file missing/file can't be written: No such file"),
            ("scan --resume missing/file a.test", 65, "--resume missing/file can't be opened: No such file"),
        ] as [(String, Int32, String)])
    func faults(line: String, code: Int32, words: String) async throws {
        let outcome = try await shell(line)
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("- is standard output where something is written whole", arguments: ["- < pins.txt", "pins.txt"])
    func standardOutput(input: String) async throws {
        let outcome = try await shell("profile convert \(input) --to hex --output - && test ! -e ./-")
        #expect(outcome.code == 0 && outcome.output.contains(Self.digest), "\(outcome.errors)\(outcome.output)")
    }

    @Test(
        "and refused where it would be a file's name",
        arguments: [
            "lab --ca-file -", "scan --resume - a.test", "match --pins pins.txt --format json --resume - pins.txt",
            "check --cache - --model dc --model-host models.test --dns-server 127.0.0.1:9 a.test",
            "cache show --cache -",
        ])
    func noFile(line: String) async throws {
        let outcome = try await shell("\(line); code=$?; test ! -e ./- && exit $code")
        #expect(outcome.code == 64 && outcome.errors.contains(" - is not a file"), "\(outcome.errors)")
    }

    private static let digest = PinDigest.sha256(of: [1]).hex

    /// Runs a line of arguments in a folder with a file of pins.
    private func shell(_ line: String) async throws -> Probe.Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-output-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "spki:sha256:\(Self.digest)\n".write(
            to: folder.appending(path: "pins.txt"), atomically: true, encoding: .utf8)
        return try await Probe.shell("cd '\(folder.path)' && $0 \(line)")
    }
}
