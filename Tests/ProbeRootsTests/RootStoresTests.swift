import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeRoots

/// The number of root stores in a folder.
@Suite(.bounded) struct RootStoresTests {
    private let bench: ArchiveBench
    private var root: [UInt8] { bench.root }
    private var other: [UInt8] { bench.other }

    init() throws { bench = try ArchiveBench() }

    /// As /usr/share/ca-certificates is, of which update-ca-certificates makes one store.
    @Test("folders that may be one store are named in the fix") func severalFolders() throws {
        try bench.inFolder(["mozilla/a.crt": bench.pem(root), "local/b.crt": bench.pem(other)]) { path in
            let folder = "\(path)/in"
            let error = try #require(throws: InputError.self) { try RootFile.read(folder) }
            #expect(error.message.contains("has 2 root stores: local/, mozilla/"), "\(error)")
            let folders = ["\(folder)/local", "\(folder)/mozilla"]
            #expect(
                error.remedy.hasSuffix("if they are one store, give its folders: \(folders.joined(separator: " "))"))
            let given = try folders.flatMap { try RootFile.certificates(of: $0) }
            #expect(given == [other, root])
        }
    }

    /// The outer one has both stores.
    @Test("folders within each other are not named in the fix", arguments: ["", "outer/"])
    func innerFolder(outer: String) throws {
        let files = ["\(outer)a.crt": bench.pem(root), "\(outer)inner/b.crt": bench.pem(other)]
        try bench.inFolder(files) { folder in
            let error = try #require(throws: InputError.self) { try RootFile.read("\(folder)/in") }
            #expect(error.remedy.hasSuffix("or name the files that belong together"), "\(error)")
        }
    }

    @Test("a certificate that the bundle beside it does not have is another store") func besideABundle() throws {
        let bundle = bench.pem(root, other)
        let files = [
            "ca-bundle.pem": bundle, "a.pem": bench.pem(root), "ssl-cert-snakeoil.pem": bench.pem(bench.third),
            // As openssl rehash names it.
            "b81b93f0.0": bench.pem(bench.third),
        ]
        try bench.inFolder(files) { folder in
            let error = try #require(throws: InputError.self) { try RootFile.read("\(folder)/in") }
            #expect(error.message.contains("has 2 root stores: ca-bundle.pem, ssl-cert-snakeoil.pem"), "\(error)")
            #expect(try RootFile.certificates(of: "\(folder)/in", only: "ca-bundle") == [root, other])
        }
        try bench.inFolder(["ca-bundle.pem": bundle, "a.pem": bench.pem(root)]) { folder in
            let certificates = try RootFile.certificates(of: "\(folder)/in")
            #expect(certificates == [root, other])
        }
    }

    @Test("bundles are compared without order, and without what is rejected") func equalBundles() throws {
        let (trusted, rejection) = (bench.pem(root, other), ArchiveBench.rejection(of: bench.third))
        let folders: [[String: [UInt8]]] = [
            ["a.pem": trusted, "b.pem": bench.pem(other, root)],
            ["a.pem": trusted, "b.pem": bench.pem(other, bench.third, root), "c.pem": rejection],
            ["a.pem": trusted, "b/c.pem": bench.pem(bench.third), "d.pem": rejection],
        ]
        for files in folders {
            try bench.inFolder(files) { folder in
                let certificates = try RootFile.certificates(of: "\(folder)/in")
                #expect(certificates == [root, other], "\(files.keys)")
            }
        }
    }
}
