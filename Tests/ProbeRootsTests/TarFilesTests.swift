import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

@testable import ProbeRoots

/// A tar archive has the files that its unpacked folder has.
@Suite struct TarFilesTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private let root: [UInt8]
    private let other: [UInt8]

    init() throws {
        (root, other) = try (Self.pki.certificate(of: .root), Self.pki.certificate(of: .otherRoot))
    }

    /// Returns the certificates of the archive that a script makes of files.
    private func certificates(
        _ files: [String: [UInt8]], _ script: String, only part: String? = nil
    ) throws -> [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-tar-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files {
            let file = folder.appending(path: "in/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try RootFile.certificates(of: folder.appending(path: "a").path, only: part)
    }

    @Test(
        "hidden folders are passed over",
        arguments: ["tar -cf a in", "tar -cf a -C in .", "python3 -m zipfile -c a in"])
    func hidden(_ script: String) throws {
        #expect(try certificates(["t/.hid/b.crt": other, "t/a.crt": root], script) == [root])
    }

    @Test(
        "a link to a file of the archive is that file",
        arguments: [
            "ln in/t/a.crt in/b.crt", "ln -s t/a.crt in/b.crt", "mkdir in/u; ln -s ../t/./a.crt in/u/b.crt",
            "ln -s t in/d; mkdir in/u; ln -s ../d/a.crt in/u/b.crt",
        ])
    func links(_ link: String) throws {
        let found = try certificates(["t/a.crt": root], "\(link); tar -cf a in/t in/[bdu]*", only: "b.crt")
        #expect(found == [root])
    }

    @Test("links of a system's folder are names for parts of its bundle") func partsOfABundle() throws {
        let bundle = Array([root, other].map(CertificateFile.pem).joined().utf8)
        let found = try certificates(["ca.crt": bundle], "ln -s /nowhere/b.pem in/b.pem; tar -cf a in")
        #expect(found == [root, other])
    }

    @Test("a name longer than systems take is a broken archive") func longName() throws {
        let script = """
            import tarfile
            info = tarfile.TarInfo('a/' * 3000 + 'b.crt')
            with tarfile.open('a', 'w', format=tarfile.GNU_FORMAT) as tar: tar.addfile(info)
            """
        #expect(throws: InputError.self) { try certificates(["a.crt": root], "python3 -c \"\(script)\"") }
    }

    @Test("a certificate that is a link out of the archive is not left out") func linkOut() throws {
        let error = try #require(throws: InputError.self) {
            try certificates(["a.crt": root], "ln -s /nowhere/b.pem in/b.pem; tar -cf a in")
        }
        #expect(error.message.contains("/b.pem is a link to /nowhere/b.pem, which is not in the archive"))
        // A link to a folder, or one of something else, is not a certificate.
        let links = "ln -s nowhere in/b; ln -s a.crt in/c.txt; ln -s c.txt/.. in/d; tar -cf a in"
        #expect(try certificates(["a.crt": root], links) == [root])
    }

    @Test("a file that was added anew is the newer one") func sameName() throws {
        let script = "tar -cf a in/a.crt; cp in/b.bin in/a.crt; tar -rf a in/a.crt"
        #expect(try certificates(["a.crt": root, "b.bin": other], script) == [other])
    }

    @Test(
        "a file in parts is refused",
        arguments: ["info.type = tarfile.GNUTYPE_SPARSE", "info.pax_headers = {'GNU.sparse.major': '1'}"])
    func inParts(_ change: String) throws {
        let script = """
            python3 -c "import tarfile
            archive = tarfile.open('a', 'w', format=tarfile.PAX_FORMAT)
            archive.add('in/a.crt')
            info = tarfile.TarInfo('in/b.crt')
            \(change)
            archive.addfile(info)
            archive.close()"
            """
        let error = try #require(throws: InputError.self) { try certificates(["a.crt": root], script) }
        #expect(error.message.contains("has in/b.crt in parts"), "\(error)")
    }
}
