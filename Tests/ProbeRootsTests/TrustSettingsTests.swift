import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeRoots

/// Certificates with OpenSSL's trust settings in the files of a root store.
@Suite(.bounded) struct TrustSettingsTests {
    private let bench: ArchiveBench
    private var root: [UInt8] { bench.root }
    private var other: [UInt8] { bench.other }

    init() throws { bench = try ArchiveBench() }

    @Test("a certificate that is rejected for TLS servers is left out, and the rest of its file is read") func oneFile()
        throws
    {
        try bench.inFolder(["store": ArchiveBench.rejection(of: root) + bench.pem(other)]) { folder in
            let content = try RootFile.read("\(folder)/in/store")
            #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
            let remark = try #require(content.rejected.first).description
            #expect(remark.contains("the certificate of line 1 of \(folder)/in/store is left out"), "\(remark)")
        }
        try bench.inFolder(["store": ArchiveBench.rejection(of: root, for: 4) + bench.pem(other)]) { folder in
            let certificates = try RootFile.certificates(of: "\(folder)/in/store")
            #expect(certificates == [root, other])
        }
    }

    @Test("a certificate that one file rejects is not trusted for being in another") func folder() throws {
        let files = ["a.pem": ArchiveBench.rejection(of: root), "b.pem": bench.pem(other), "c.pem": bench.pem(root)]
        try bench.inFolder(files) { folder in
            try bench.run("tar -cf a.tar in", in: folder)
            for path in ["\(folder)/in", "\(folder)/a.tar"] {
                let content = try RootFile.read(path)
                #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
                #expect(content.rejected.first?.path.hasSuffix("/a.pem") == true)
            }
        }
    }

    @Test("a store without a trusted certificate has what it rejects alone") func nothing() throws {
        try bench.inFolder(["a.pem": ArchiveBench.rejection(of: root)]) { folder in
            for path in ["\(folder)/in", "\(folder)/in/a.pem"] {
                let content = try RootFile.read(path)
                #expect(content.certificates.isEmpty && content.rejected.map(\.certificate) == [root])
                let error = #expect(throws: InputError.self) { try RootFile.certificates(of: path) }
                #expect(error?.message.contains("no certificate that is trusted for TLS servers") == true)
            }
        }
    }

    @Test("files that are not chosen reject certificates too") func notChosen() throws {
        let files = [
            "a/store.pem": bench.pem(root, other), "b/reject.pem": ArchiveBench.rejection(of: root),
            // One that can't be read is left out as a whole.
            "b/broken.crt": Array("-----BEGIN TRUSTED CERTIFICATE-----\n".utf8),
        ]
        try bench.inFolder(files) { folder in
            let content = try RootFile.read("\(folder)/in", only: "a/")
            #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
            let error = #expect(throws: InputError.self) { try RootFile.read("\(folder)/in", only: "nowhere") }
            #expect(error?.message.contains("whose path has 'nowhere' in it") == true)
        }
    }

    @Test("a distrusted certificate is not trusted for being chosen among the anchors") func distrusted() throws {
        let files = [
            "p/anchors/x.pem": bench.pem(root), "p/anchors/y.pem": bench.pem(other),
            "p/blocklist/x.txt": bench.pem(root),
        ]
        try bench.inFolder(files) { folder in
            for part in ["anchors", nil] {
                let content = try RootFile.read("\(folder)/in/p", only: part)
                #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
            }
            for path in ["\(folder)/in/p/blocklist", "\(folder)/in/p/blocklist/"] {
                let content = try RootFile.read(path)
                #expect(content.certificates.isEmpty && content.rejected.map(\.certificate) == [root])
            }
        }
        // A single file of such a folder is not trusted for being named, and p11-kit's own form may have no certificate.
        try bench.inFolder(files.merging(["q/untrusted/z.pem": bench.pem(other)]) { $1 }) { folder in
            for path in ["p/blocklist/x.txt", "q/untrusted/z.pem", "p/anchors/../blocklist"] {
                let content = try RootFile.read("\(folder)/in/\(path)")
                #expect(content.certificates.isEmpty && content.rejected.count == 1, "\(path)")
            }
        }
        let object = Array("[p11-kit-object-v1]\nx-distrusted: true\nserial-number: \"%02%01%01\"\n".utf8)
        try bench.inFolder(files.merging(["p/blocklist/y.p11-kit": object]) { $1 }) { folder in
            #expect(throws: InputError.self) { try RootFile.read("\(folder)/in/p") }
        }
        // Nothing else would show what it rejects.
        let broken = files.merging(["p/blocklist/y.crt": Array("none".utf8)]) { $1 }
        try bench.inFolder(broken) { folder in
            #expect(throws: InputError.self) { try RootFile.read("\(folder)/in/p", only: "anchors") }
        }
    }
}
