import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeRoots

/// Root stores in archives, written by Python and tar as those who publish them do, and hostile ones.
@Suite(.bounded) struct RootArchiveTests {
    private let bench: ArchiveBench
    private var root: [UInt8] { bench.root }
    private var other: [UInt8] { bench.other }

    init() throws { bench = try ArchiveBench() }

    private static let archivers = [
        "python3 -m zipfile -c a.whl in", "tar -czf a.tar.gz in", "tar -cf a.tar in", "tar --format=pax -czf a.tgz in",
    ]

    private static func archive(of script: String) -> String {
        script.split(separator: " ").map(String.init).first { $0.hasPrefix("a.") } ?? ""
    }

    /// As p11-kit, Apple and Android keep them: a file each.
    @Test(arguments: ["blocklist", "distrusted", "cacerts-removed"]) func whatIsDistrustedIsNoAnchor(folder: String)
        throws
    {
        let files = ["anchors/a.pem": bench.pem(bench.root), "\(folder)/b.pem": bench.pem(bench.other)]
        #expect(try bench.certificates(files, "tar -cf a in") == [bench.root])
        #expect(try bench.certificates(files, "tar -cf a in", only: "anchors") == [bench.root])
        #expect(throws: InputError.self) { try bench.certificates(files, "tar -cf a in", only: folder) }
        try bench.inFolder(files) { path in
            let content = try RootFile.read("\(path)/in")
            #expect(content.certificates == [bench.root] && content.rejected.map(\.certificate) == [bench.other])
            let remark = try #require(content.rejected.first).description
            #expect(
                remark.contains("\(folder)/b.pem is left out: '\(folder)' has what is not to be trusted"), "\(remark)")
        }
        let message = ["anchors/a.pem": bench.pem(bench.root), "anchors/b.p7b": Array("none".utf8)]
        #expect(throws: InputError.self) { try bench.certificates(message, "tar -cf a in") }
    }

    /// Names of more than 100 bytes are kept elsewhere than in the header of a file.
    @Test(arguments: archivers) func anArchiveIsReadAtAnyDepth(script: String) throws {
        let long = String(repeating: "deep/", count: 30)
        let files = [
            "certifi/cacert.pem": bench.pem(root, other),
            "certifi/core.py": Array("x = \"-----BEGIN CERTIFICATE-----\"".utf8),
            "LICENSE": Array("text".utf8), "\(long)key.pem": Array("-----BEGIN PRIVATE KEY-----\n".utf8),
        ]
        try bench.inFolder(files) { folder in
            try bench.run(script, in: folder)
            let path = "\(folder)/\(Self.archive(of: script))"
            #expect(try RootFile.certificates(of: path) == [root, other])
            #expect(try RootFile.certificates(of: path, only: "cacert") == [root, other])
            let error = #expect(throws: InputError.self) { try RootFile.certificates(of: path, only: "apple") }
            #expect(error?.message.contains("whose path has 'apple' in it") == true)
        }
    }

    @Test(arguments: archivers) func severalBundlesAreNotOneStore(script: String) throws {
        let files = [
            "stores/apple.pem": bench.pem(root, other), "stores/java.pem": bench.pem(other, bench.third),
        ]
        try bench.inFolder(files) { folder in
            try bench.run(script, in: folder)
            let path = "\(folder)/\(Self.archive(of: script))"
            let error = #expect(throws: InputError.self) { try RootFile.certificates(of: path) }
            #expect(error?.message.contains("2 root stores: ") == true)
            #expect(error?.remedy.contains("a part of its path") == true)
            #expect(try RootFile.certificates(of: path, only: "java") == [other, bench.third])
        }
    }

    /// As Android keeps the roots of TLS and those of Wi-Fi.
    @Test(arguments: archivers) func severalFoldersAreNotOneStore(script: String) throws {
        let files = ["etc/cacerts/5ed36f99.0": bench.pem(root), "etc/cacerts_wfa/21125ccd.0": bench.pem(other)]
        try bench.inFolder(files) { folder in
            try bench.run(script, in: folder)
            for path in ["\(folder)/in", "\(folder)/\(Self.archive(of: script))"] {
                let error = #expect(throws: InputError.self) { try RootFile.certificates(of: path) }
                #expect(error?.message.contains("2 root stores: ") == true, "\(String(describing: error))")
                #expect(error?.message.contains("etc/cacerts/, ") == true, "\(String(describing: error))")
                #expect(try RootFile.certificates(of: path, only: "cacerts/") == [root])
                #expect(try RootFile.certificates(of: path, only: "wfa") == [other])
            }
        }
    }

    @Test("a store may be kept as a bundle and by the certificate, and have several folders") func otherNames() throws {
        let bundle = [
            "share/local/b.crt": bench.pem(other), "share/mozilla/a.crt": bench.pem(root),
            "ssl/ca.crt": bench.pem(root, other),
        ]
        let twice = ["a/5ed36f99.0": bench.pem(root), "b/root.cer": root]
        for (files, expected) in [(bundle, [other, root]), (twice, [root])] {
            try bench.inFolder(files) { folder in
                let certificates = try RootFile.certificates(of: "\(folder)/in")
                #expect(certificates == expected)
            }
        }
    }

    @Test func aFolderIsReadAtAnyDepthAndLinksMakeNoCircle() throws {
        let text = Array("Certificate:\n  Data:\n".utf8)
        let files = [
            "a/roots/5ed36f99.0": text + bench.pem(root), "a/roots/b.cer": other, "README": Array("text".utf8),
        ]
        try bench.inFolder(files) { folder in
            try bench.run("ln -s ../.. in/a/roots/up", in: folder)
            #expect(try RootFile.certificates(of: "\(folder)/in") == [root, other])
        }
    }

    @Test(arguments: [
        ("!<arch>\ndebian-binary", "dpkg-deb -x"), ("BZh9", "bzip2 -d"),
    ])
    func otherArchivesAreNamed(content: String, remedy: String) throws {
        try bench.inFolder(["a": Array(content.utf8)]) { folder in
            let error = #expect(throws: InputError.self) { try RootFile.certificates(of: "\(folder)/in/a") }
            #expect(error?.remedy.contains(remedy) == true && error?.message.contains("in/a") == true)
        }
    }

    /// Every archive cut short, and with any byte of its structures changed, is an error or the same certificates.
    /// Python takes the last one of a name, others the first.
    @Test func aNameThatOccursTwiceIsRefused() throws {
        try bench.inFolder(["root.pem": bench.pem(root), "other.pem": bench.pem(other)]) { folder in
            let script = """
                python3 -W ignore -c 'import zipfile
                with zipfile.ZipFile("a.whl", "w") as archive:
                    for name in ("root", "other"): archive.write(f"in/{name}.pem", "cacert.pem")'
                """
            try bench.run(script, in: folder)
            let error = try #require(throws: InputError.self) { try RootFile.certificates(of: "\(folder)/a.whl") }
            #expect(error.message.contains("has cacert.pem twice"), "\(error)")
        }
    }

    @Test(arguments: archivers) func brokenArchivesAreRefused(script: String) throws {
        try bench.inFolder(["cacert.pem": bench.pem(root, other)]) { folder in
            try bench.run(script, in: folder)
            let path = "\(folder)/\(Self.archive(of: script))"
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            func read(_ changed: [UInt8]) throws -> [[UInt8]]? {
                try Data(changed).write(to: URL(filePath: path))
                do { return try RootFile.certificates(of: path) } catch { return nil }
            }
            // All after the first block of zeros of a plain archive is padding.
            for length in stride(from: 1, to: min(bytes.count, 2000), by: 61) {
                let cut = try read(Array(bytes.prefix(length)))
                #expect(cut == nil, "\(length) bytes")
            }
            for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
                var changed = bytes
                changed[index] ^= 0x55
                _ = try read(changed)
            }
        }
    }

    /// A few kilobytes that unpack to more than is taken.
    @Test(arguments: [
        "head -c 200000000 /dev/zero | gzip -9 > a",
        "head -c 200000000 /dev/zero > in/x.pem; python3 -c 'import zipfile; zipfile.ZipFile(\"a\", \"w\", 8).write(\"in/x.pem\")'",
    ])
    func bombsAreRefused(script: String) throws {
        try bench.inFolder(["a.pem": bench.pem(root)]) { folder in
            try bench.run(script, in: folder)
            let error = #expect(throws: InputError.self) { try RootFile.certificates(of: "\(folder)/a") }
            #expect(error?.message.contains("unpacks to more than") == true, "\(error?.message ?? "")")
        }
    }
}
