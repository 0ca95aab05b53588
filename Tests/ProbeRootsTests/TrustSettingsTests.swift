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

    /// Returns a block as `openssl x509 -trustout -addreject` writes it: 1 is the purpose of TLS servers, 4 that of e-mail.
    private static func block(_ der: [UInt8], rejectedFor purpose: UInt8 = 1) -> [UInt8] {
        let settings: [UInt8] = [0x30, 0x0c, 0xa0, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, purpose]
        let base64 = Data(der + settings).base64EncodedString()
        return Array("-----BEGIN TRUSTED CERTIFICATE-----\n\(base64)\n-----END TRUSTED CERTIFICATE-----\n".utf8)
    }

    @Test("a certificate that is rejected for TLS servers is left out, and the rest of its file is read") func oneFile()
        throws
    {
        try bench.inFolder(["store": Self.block(root) + bench.pem(other)]) { folder in
            let content = try RootFile.read("\(folder)/in/store")
            #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
            let remark = try #require(content.rejected.first).description
            #expect(remark.contains("the certificate of line 1 of \(folder)/in/store is left out"), "\(remark)")
        }
        try bench.inFolder(["store": Self.block(root, rejectedFor: 4) + bench.pem(other)]) { folder in
            let certificates = try RootFile.certificates(of: "\(folder)/in/store")
            #expect(certificates == [root, other])
        }
    }

    @Test("a certificate that one file rejects is not trusted for being in another") func folder() throws {
        let files = ["a.pem": Self.block(root), "b.pem": bench.pem(other), "c.pem": bench.pem(root)]
        try bench.inFolder(files) { folder in
            try bench.run("tar -cf a.tar in", in: folder)
            for path in ["\(folder)/in", "\(folder)/a.tar"] {
                let content = try RootFile.read(path)
                #expect(content.certificates == [other] && content.rejected.map(\.certificate) == [root])
                #expect(content.rejected.first?.path.hasSuffix("/a.pem") == true)
            }
        }
    }

    @Test("a store without a trusted certificate is refused") func nothing() throws {
        try bench.inFolder(["a.pem": Self.block(root)]) { folder in
            for path in ["\(folder)/in", "\(folder)/in/a.pem"] {
                let error = #expect(throws: InputError.self) { try RootFile.read(path) }
                #expect(error?.message.contains("no certificate that is trusted for TLS servers") == true)
            }
        }
    }
}
