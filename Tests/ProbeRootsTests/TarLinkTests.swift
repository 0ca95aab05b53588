import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeRoots

/// The links of a tar archive lead to where those of its unpacked folder lead.
@Suite(.bounded) struct TarLinkTests {
    private let bench: ArchiveBench
    private var root: [UInt8] { bench.root }
    private var other: [UInt8] { bench.other }

    init() throws { bench = try ArchiveBench() }

    @Test(
        "a link to a file of the archive is that file",
        arguments: [
            "ln in/t/a.crt in/b.crt", "ln -s t/a.crt in/b.crt", "mkdir in/u; ln -s ../t/./a.crt in/u/b.crt",
            "ln -s t in/d; mkdir in/u; ln -s ../d/a.crt in/u/b.crt",
        ])
    func links(_ link: String) throws {
        let found = try bench.certificates(["t/a.crt": root], "\(link); tar -cf a in/t in/[bdu]*", only: "b.crt")
        #expect(found == [root])
    }

    /// The folder is read through the system's own links: `..` behind a link is above what that leads to, and another name of a
    /// link leads on from its own folder.
    @Test(
        "a path leads to where the system's leads",
        arguments: [
            "ln -s t/x in/d; ln -s d/../a.crt in/z.crt", "ln -s ../t/x in/u/d; ln -s d/../a.crt in/u/z.crt",
            "ln -s t/x/.. in/d; ln -s d//./a.crt in/z.crt", "ln -s t/x in/d; ln -s d/../../t/a.crt in/z.crt",
            "ln -s a.crt in/t/l; ln -P in/t/l in/z.crt", "ln -s t/x in/d; ln in/d/../a.crt in/z.crt",
        ])
    func paths(_ links: String) throws {
        let files = ["t/a.crt": root, "a.crt": other, "t/x/y": [], "u/y": []]
        try bench.inFolder(files) { folder in
            try bench.run("\(links); tar -cf a in/t in/[!t]*", in: folder)
            let unpacked = try RootFile.certificates(of: "\(folder)/in", only: "z.crt")
            #expect(unpacked.count == 1)
            #expect(try RootFile.certificates(of: "\(folder)/a", only: "z.crt") == unpacked)
        }
    }

    @Test(
        "a link through a file, or with / behind one, leads nowhere",
        arguments: ["a.crt/", "a.crt/.", "a.crt/../a.crt"])
    func throughFile(_ target: String) throws {
        let error = try #require(throws: InputError.self) {
            try bench.certificates(["a.crt": root], "ln -s \(target) in/z.crt; tar -cf a in", only: "z.crt")
        }
        #expect(error.message.contains("z.crt is a link to \(target), which leads to no file in it"), "\(error)")
    }

    /// As many as Linux follows, and one more.
    @Test("links that lead to links are followed to a limit", arguments: [40, 41]) func chain(count: Int) throws {
        try bench.inFolder(["a.crt": root]) { folder in
            let links = (1..<count).map { "ln -s \($0 + 1 == count ? "a.crt" : "l\($0 + 1)") in/l\($0)" }
            try bench.run((links + ["ln -s l1 in/z.crt", "tar -cf a in"]).joined(separator: "\n"), in: folder)
            let results = ["a", "in"].map { place in
                Result { try RootFile.certificates(of: "\(folder)/\(place)", only: "z.crt") }
            }
            #expect(results.map { (try? $0.get()) == [root] } == [count == 40, count == 40], "\(results)")
        }
    }

    @Test("a certificate that is a link out of the archive is not left out") func linkOut() throws {
        let error = try #require(throws: InputError.self) {
            try bench.certificates(["a.crt": root], "ln -s /nowhere/b.pem in/b.pem; tar -cf a in")
        }
        #expect(error.message.contains("/b.pem is a link to /nowhere/b.pem, which leads to no file in it"))
        // A link to a folder, or one of something else, is not a certificate, whatever its name is.
        let folder = "mkdir in/e; echo x > in/e/x; ln -s e in/certs; ln -s /nowhere in/cert.sh"
        let links =
            "\(folder); ln -s nowhere in/b; ln -s a.crt in/c.txt; ln -s c.txt/.. in/d; ln -s no.so.1.2 in/lib.so.1; tar -cf a in"
        #expect(try bench.certificates(["a.crt": root], links) == [root])
    }

    @Test(
        "links beside a bundle are names for parts of it",
        arguments: [
            "ln -s /nowhere/b.crt in/e/c/b.pem; ln -s b.pem in/e/c/5ed36f99.0",
            // The bundle has another name in another folder, which comes first.
            "ln -s c/ca.crt in/e/a.pem; ln -s /nowhere/b.crt in/e/c/b.pem",
        ])
    func partsOfABundle(_ links: String) throws {
        for archive in ["tar -cf a in", "tar -cf a -C in ."] {
            #expect(
                try bench.certificates(["e/c/ca.crt": bench.pem(root, other)], "\(links); \(archive)") == [root, other])
        }
    }

    /// Another store than the one that the link stands for would be imported as it.
    @Test(
        "a link to a store, or out of another folder than the bundle's, is not a part of it",
        arguments: [
            "e/b.pem", "e/c/d/b.pem", "e/5ed36f99.0", "e/ca-certificates.crt", "e/c/ca-bundle.trust.crt",
            "e/c/cert.pem",
            "e/c/cacerts", "e/c/store.jks",
        ])
    func storeOut(_ link: String) throws {
        let script = "mkdir in/e/c/d; ln -s /nowhere/x in/\(link); tar -cf a in"
        let files = ["e/c/ca.crt": bench.pem(root, other)]
        let error = try #require(throws: InputError.self) { try bench.certificates(files, script) }
        #expect(error.message.contains("\(link) is a link to /nowhere/x, which leads to no file in it"), "\(error)")
        #expect(error.remedy.contains("choose one by a part of its path"))
        #expect(try bench.certificates(files, script, only: "ca.crt") == [root, other])
    }

    @Test("a certificate's name may be its hash") func hashOut() throws {
        let error = try #require(throws: InputError.self) {
            try bench.certificates(["a.crt": root], "ln -s /nowhere/x in/5ed36f99.0; tar -cf a in")
        }
        #expect(error.message.contains("5ed36f99.0 is a link to /nowhere/x"), "\(error)")
    }
}
