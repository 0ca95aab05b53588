import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeRoots

/// SHA-256 as text.
enum RootDigest {
    static func hex(_ der: [UInt8]) -> String { SwiftCryptoDigester().sha256(der.span).hex }
}

/// Root stores in the formats of others.
@Suite struct RootFileTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func block(_ bytes: [UInt8], _ length: Int) -> [UInt8] { number(bytes.count, length) + bytes }

    private static func trusted(_ der: [UInt8], version: Int = 2) -> [UInt8] {
        number(2, 4) + block(Array("alias".utf8), 2) + number(0, 8)
            + (version == 2 ? block(Array("X.509".utf8), 2) : []) + block(der, 4)
    }

    private static func keyStore(_ entries: [[UInt8]], version: Int = 2) -> [UInt8] {
        [0xfe, 0xed, 0xfe, 0xed] + number(version, 4) + number(entries.count, 4) + entries.flatMap(\.self)
            + [UInt8](repeating: 0, count: 20)
    }

    /// One DER value.
    private static func der(_ tag: UInt8, _ content: [UInt8]...) -> [UInt8] {
        let bytes = content.flatMap(\.self)
        let length: [UInt8] = bytes.count < 128 ? [UInt8(bytes.count)] : [0x82] + number(bytes.count, 2)
        return [tag] + length + bytes
    }

    private static let data: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1]
    private static let encrypted: [UInt8] = [0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 6]
    private static let certificateBag: [UInt8] = [0x06, 11, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 10, 1, 3]
    private static let x509: [UInt8] = [0x06, 10, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 22, 1]

    private static let trustedKeyUsage: [UInt8] = [
        0x06, 12, 0x60, 0x86, 0x48, 1, 0x86, 0xf9, 0x66, 0xad, 0xca, 0x7b, 1, 1,
    ]
    private static let mark = der(0x31, der(0x30, trustedKeyUsage, der(0x31, [0x06, 4, 0x55, 0x1d, 0x25, 0])))

    /// A bag of PKCS #12 (RFC 7292 section 4.2): 1 and 2 are keys, 6 is for other bags.
    private static func bag(_ kind: UInt8, _ value: [UInt8]) -> [UInt8] {
        der(0x30, certificateBag.dropLast() + [kind], der(0xa0, value))
    }

    private static func bag(_ certificate: [UInt8], attributes: [UInt8] = []) -> [UInt8] {
        der(0x30, certificateBag, der(0xa0, der(0x30, x509, der(0xa0, der(0x04, certificate)))), attributes)
    }

    private static func safe(_ bags: [[UInt8]], type: [UInt8] = data) -> [UInt8] {
        der(0x30, type, der(0xa0, der(0x04, der(0x30, Array(bags.joined())))))
    }

    private static func pkcs12(_ safes: [UInt8]...) -> [UInt8] {
        der(0x30, [2, 1, 3], der(0x30, data, der(0xa0, der(0x04, der(0x30, Array(safes.joined()))))))
    }

    private func certificates(_ files: [String: [UInt8]], name: String? = nil) throws -> [[UInt8]] {
        try ScratchFolder.withURL { folder in
            for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: name)) }
            return try RootFile.certificates(of: name.map { folder.appending(path: $0).path } ?? folder.path)
        }
    }

    @Test("a store is all of its folder, or none") func nameInAnotherEncoding() throws {
        try ScratchFolder.withURL { url in
            let folder = url.path
            try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
            let pem = CertificateFile.pem(try Self.pki.certificate(of: .root))
            try pem.write(toFile: folder + "/a.pem", atomically: false, encoding: .utf8)
            #expect(try RootFile.certificates(of: folder).count == 1)
            let path = (folder + "/inner/caf").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xe9), 0]
            close(unsafe open(path, O_CREAT | O_WRONLY, 0o644))
            let error = #expect(throws: InputError.self) { try RootFile.certificates(of: folder) }
            #expect(error?.message.contains("/inner/caf") == true && error?.remedy.contains("UTF-8") == true)
        }
    }

    @Test("a store that can't be kept has the system's reason") func unwritable() throws {
        let root = try Self.pki.certificate(of: .root)
        let error = #expect(throws: InputError.self) {
            try OwnRootStores(folder: "/proc/self/none").keep([root], store: "acme", day: "2024-05-01")
        }
        #expect(error?.message.contains("acme@2024-05-01.pem can't be written: ") == true)
    }

    /// Root lists any folder, so a file stands in its place.
    @Test("a folder of own stores that can't be listed is not an empty one") func unlisted() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "own-stores-\(UUID())").path
        #expect(try OwnRootStores(folder: path).headings().isEmpty)
        try Data().write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let database = RootDatabase.standard(own: OwnRootStores(folder: path))
        let error = #expect(throws: InputError.self) { try database.snapshots() }
        #expect(error?.message.contains("the root stores in \(path) can't be listed: ") == true)
        #expect(throws: InputError.self) { try database.snapshot(RootStoreName("mozilla")) }
        #expect(throws: InputError.self) { try database.anchors(RootStoreName("all")) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-unmounted")
        #expect(throws: InputError.self) { try database.snapshots() }
    }

    /// Of p11-kit's text the PEM alone would be read, and what is distrusted would be trusted.
    @Test("files of certificates in other forms are named", arguments: ["pkcs7", "p11-kit"])
    func foreignForms(form: String) throws {
        let root = try Self.pki.certificate(of: .root)
        let message: [UInt8] = [
            0x30, 0x80, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02, 0xa0, 0x80,
        ]
        let text =
            String(repeating: "# licence\n", count: 1000)
            + "[p11-kit-object-v1]\nx-distrusted: true\n\(CertificateFile.pem(root))"
        let bytes = form == "pkcs7" ? message + root : Array(text.utf8)
        let error = #expect(throws: InputError.self) { try CertificateFile.read(bytes, from: "store") }
        let program = form == "pkcs7" ? "openssl pkcs7 -inform DER" : "trust extract"
        #expect(error?.remedy.contains(program) == true, "\(String(describing: error))")
    }

    /// Java reads them, OpenSSL takes the first, p11-kit and update-ca-certificates none.
    @Test("several certificates as DER in one file are refused, with the command that writes PEM") func concatenated()
        throws
    {
        let (root, leaf) = (try Self.pki.certificate(of: .root), try Self.pki.identity(.good).leaf)
        // With a byte too much, and with one that is broken.
        let tails: [[UInt8]] = [leaf, leaf + [0x0a], Array(leaf.dropLast()), [0x30, 0]]
        for tail in tails {
            for name in ["store.der", "store", "5ed36f99.0"] {
                let error = #expect(throws: InputError.self, "\(name)") {
                    try certificates(["a.cer": root, name: root + tail])
                }
                #expect(error?.remedy.contains("openssl storeutl -certs") == true, "\(String(describing: error))")
            }
        }
        let error = #expect(throws: InputError.self) { try certificates(["a.cer": root, "store": root + [0x0a]]) }
        #expect(error?.message.contains("is not a certificate") == true, "\(String(describing: error))")
    }

    @Test func everyFormatHoldsTheSameCertificate() throws {
        let root = try Self.pki.certificate(of: .root)
        for bytes in [
            root, Array(CertificateFile.pem(root).utf8), Self.keyStore([Self.trusted(root)]),
            Self.keyStore([Self.trusted(root, version: 1)], version: 1),
            Self.pkcs12(Self.safe([Self.bag(root)])),
        ] {
            #expect(try certificates(["store": bytes], name: "store") == [root])
        }
    }

    @Test func aFolderIsReadFileByFileAndEachCertificateOnce() throws {
        let root = try Self.pki.certificate(of: .root)
        let leaf = try Self.pki.identity(.good).leaf
        let files = [
            "5ed36f99.0": Array(("Certificate:\n  Data:\n" + CertificateFile.pem(root)).utf8), "b.cer": leaf,
            "c.der": root,
            ".hidden": [1, 2, 3],
        ]
        #expect(try certificates(files) == [root, leaf])
        #expect(throws: InputError.self) { try certificates([:]) }
        // A text beside them is passed over, a file that should be a certificate is not.
        #expect(try certificates(files.merging(["z.txt": Array("none".utf8)]) { $1 }) == [root, leaf])
        #expect(throws: InputError.self) { try certificates(files.merging(["z.cer": Array("none".utf8)]) { $1 }) }
    }

    @Test func privateKeysAreNotTrusted() throws {
        let root = try Self.pki.certificate(of: .root)
        let leaf = try Self.pki.identity(.good).leaf
        let key =
            Self.number(1, 4) + Self.block([65], 2) + Self.number(0, 8) + Self.block([1, 2, 3], 4) + Self.number(1, 4)
            + Self.block(Array("X.509".utf8), 2) + Self.block(leaf, 4)
        #expect(try certificates(["s": Self.keyStore([key, Self.trusted(root)])], name: "s") == [root])
        #expect(throws: InputError.self) { try certificates(["s": Self.keyStore([key])], name: "s") }
    }

    @Test("certificates beside a key are roots only with Java's mark", arguments: [1, 2] as [UInt8])
    func identities(_ kind: UInt8) throws {
        let (root, leaf) = (try Self.pki.certificate(of: .root), try Self.pki.identity(.good).leaf)
        let key = Self.safe([Self.bag(kind, Self.der(0x30))])
        let identity = Self.pkcs12(Self.safe([Self.bag(leaf), Self.bag(root)]), key)
        let error = #expect(throws: InputError.self) { try certificates(["s": identity], name: "s") }
        #expect(error?.message.contains("has a private key, and no certificate in it is marked as trusted") == true)
        let marked = Self.safe([Self.bag(leaf), Self.bag(root, attributes: Self.mark)])
        #expect(try certificates(["s": Self.pkcs12(marked, key)], name: "s") == [root])
        #expect(try certificates(["s": Self.pkcs12(marked)], name: "s") == [root])
    }

    @Test("bags within bags are read") func innerBags() throws {
        let root = try Self.pki.certificate(of: .root)
        let inner = Self.pkcs12(Self.safe([Self.bag(6, Self.der(0x30, Self.bag(root)))]))
        #expect(try certificates(["s": inner], name: "s") == [root])
        let key = Self.pkcs12(Self.safe([Self.bag(root), Self.bag(6, Self.der(0x30, Self.bag(1, Self.der(0x30))))]))
        #expect(throws: InputError.self) { try certificates(["s": key], name: "s") }
    }

    @Test func brokenFilesAreRefused() throws {
        let store = Self.keyStore([Self.trusted(try Self.pki.certificate(of: .root))])
        for length in stride(from: 4, to: store.count - 20, by: 37) {
            #expect(throws: InputError.self) { try certificates(["s": Array(store.prefix(length))], name: "s") }
        }
        let root = Self.bag(try Self.pki.certificate(of: .root))
        // A store without some of its roots is another store.
        for safes in [[], [Self.safe([root])]] {
            let secret = Self.pkcs12(Array(safes.joined()), Self.safe([root], type: Self.encrypted))
            let error = #expect(throws: InputError.self) { try certificates(["s": secret], name: "s") }
            #expect(error?.message.contains("is encrypted") == true)
        }
        #expect(throws: InputError.self) { try certificates(["s": Self.der(0x30, [2, 1, 3])], name: "s") }
    }
}
