import Foundation
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTestSupport
import Testing

@testable import ProbeCommand

@Suite(.bounded) struct OutputFileTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        try ScratchFolder.withURL(body)
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

    @Test("root leaves a file to its owner", .enabled(if: geteuid() == 0, "only root may give a file away"))
    func ownersAreKept() throws {
        try inFolder { folder in
            let path = folder.appending(path: "file").path
            try Data("old".utf8).write(to: URL(filePath: path))
            #expect(unsafe chmod(path, 0o600) == 0)
            #expect(unsafe chown(path, 65_534, 65_533) == 0)
            let old = try #require(FileStatus(of: path))
            try OutputFile(path: path).write(Array("new".utf8))
            let new = try #require(FileStatus(of: path))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "new" && new.identity != old.identity)
            #expect(new.owner == 65_534 && new.group == 65_533)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("set-uid and set-gid bits are not kept") func specialRights() throws {
        try inFolder { folder in
            let path = folder.appending(path: "file").path
            try Data("old".utf8).write(to: URL(filePath: path))
            #expect(unsafe chmod(path, 0o6751) == 0)
            try OutputFile(path: path).write(Array("new".utf8))
            #expect(try rights(path) == 0o751)
        }
    }

    /// A process that is killed in between leaves the old file, and a draft that nobody else may read.
    @Test("a file has its rights before it has its name, and nothing else gets them", arguments: ["link", "hard link"])
    func rightsComeFirst(_ kind: String) throws {
        try inFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path }
            for (name, mode) in [("file", 0o640), ("victim", 0o600)] as [(String, mode_t)] {
                try Data(name.utf8).write(to: URL(filePath: path(name)))
                #expect(unsafe chmod(path(name), mode) == 0)
            }
            if geteuid() == 0 { #expect(unsafe chown(path("file"), 65_534, 65_533) == 0) }
            let old = try #require(FileStatus(of: path("file")))
            let victim = try #require(FileStatus(of: path("victim")))
            let draft = try FileDraft(Array("new".utf8), replacing: path("file"), in: folder.path)
            let written = try #require(FileStatus(of: draft.path))
            #expect(written.permissions == 0o640 && written.owner == old.owner && written.group == old.group)
            #expect(try String(contentsOfFile: path("file"), encoding: .utf8) == "file")
            // Somebody else moves another file over the path.
            #expect(unsafe unlink(path("file")) == 0)
            if kind == "link" {
                #expect(unsafe symlink(path("victim"), path("file")) == 0)
            } else {
                #expect(unsafe link(path("victim"), path("file")) == 0)
            }
            try draft.move()
            #expect(FileStatus(of: path("file"))?.identity == written.identity)
            let left = try #require(FileStatus(of: path("victim")))
            #expect(left.permissions == 0o600 && left.owner == victim.owner && left.identity == victim.identity)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "victim"])
        }
    }

    @Test("a new file has what the umask leaves, and no draft stays where it has no place") func drafts() throws {
        try inFolder { folder in
            let (made, written) = (folder.appending(path: "made").path, folder.appending(path: "written").path)
            close(unsafe open(made, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
            try OutputFile(path: written).write(Array("new".utf8))
            #expect(try rights(written) == rights(made))
            let inner = folder.appending(path: "inner").path
            let draft = try FileDraft(Array("new".utf8), replacing: inner, in: folder.path)
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            let failure = try #require(throws: FileDraft.Failure.self) { try draft.move() }
            #expect(failure.code == EISDIR)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["inner", "made", "written"])
        }
    }

    /// Returns all bits of a file's mode but its kind.
    private func rights(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
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

    @Test("a link to a file that does not exist yet makes it, as a shell does") func danglingLink() throws {
        try inFolder { folder in
            let files = FileManager.default
            let (link, target) = (folder.appending(path: "link").path, folder.appending(path: "inner/target").path)
            try files.createSymbolicLink(atPath: link, withDestinationPath: "inner/target")
            let missing = try #require(throws: InputError.self) { try OutputFile(path: link).check() }
            #expect(missing.message.hasSuffix("can't be written: its folder does not exist"))
            try files.createDirectory(atPath: folder.appending(path: "inner").path, withIntermediateDirectories: true)
            try OutputFile(path: link).check()
            try OutputFile(path: link).write(Array("new".utf8))
            #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
            #expect(try files.destinationOfSymbolicLink(atPath: link) == "inner/target")
        }
    }

    @Test("the check refuses what a write would", arguments: ["folder", "circle"]) func refused(_ kind: String) throws {
        try inFolder { folder in
            let path = folder.appending(path: "output").path
            if kind == "folder" {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            } else {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "output")
            }
            let file = OutputFile(path: path)
            let checked = try #require(throws: InputError.self) { try file.check() }
            let written = try #require(throws: InputError.self) { try file.write([]) }
            #expect(checked == written && checked.message.contains("can't be written: "), "\(checked)")
        }
    }

    /// Root writes to every folder, so the command runs as somebody else then.
    @Test("a file that may be written to is, in a folder that may not") func closedFolder() async throws {
        let outcome = try await shell(
            """
            profile convert pins.txt --to hex > expected; chmod 755 .; mkdir closed; touch closed/file closed/mine
            chmod 666 closed/file; chmod 444 closed/mine; chmod 555 closed; run=
            if [ "$(id -u)" = 0 ]; then run='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
            for name in file mine new; do
                $run "$0" profile convert pins.txt --to hex --output closed/$name; echo $?
            done
            cmp expected closed/file; chmod 755 closed; ls closed
            """)
        #expect(outcome.output == "0\n65\n65\nfile\nmine\n", "\(outcome)")
    }

    @Test(
        "what took long to find out is printed where it can't be written",
        arguments: [("missing/file", 65), ("/dev/full", 70)] as [(String, Int32)])
    func report(path: String, code: Int32) async throws {
        let outcome = try await shell("conformance --divergences --output \(path)")
        #expect(outcome.code == code && outcome.errors.contains("\(path) can't be written"), "\(outcome.errors)")
        let printed = try await Probe.run(["conformance", "--divergences"]).output
        #expect(outcome.output == printed)
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
        try await ScratchFolder.withURL { folder in
            try "spki:sha256:\(Self.digest)\n".write(
                to: folder.appending(path: "pins.txt"), atomically: true, encoding: .utf8)
            return try await Probe.shell("cd '\(folder.path)' && $0 \(line)")
        }
    }
}
