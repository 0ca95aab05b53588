import Foundation
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeRoots

/// Three certificates, and folders in which a shell makes archives of files.
struct ArchiveBench {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    let root: [UInt8]
    let other: [UInt8]
    let third: [UInt8]

    init() throws {
        (root, other) = try (Self.pki.certificate(of: .root), Self.pki.certificate(of: .otherRoot))
        third = try Self.pki.identity(.good).leaf
    }

    /// Returns a block as `openssl x509 -trustout -addreject` writes it: 1 is the purpose of TLS servers, 4 that of e-mail.
    static func rejection(of der: [UInt8], for purpose: UInt8 = 1) -> [UInt8] {
        let settings: [UInt8] = [0x30, 0x0c, 0xa0, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, purpose]
        let base64 = Data(der + settings).base64EncodedString()
        return Array("-----BEGIN TRUSTED CERTIFICATE-----\n\(base64)\n-----END TRUSTED CERTIFICATE-----\n".utf8)
    }

    func pem(_ certificates: [UInt8]...) -> [UInt8] {
        Array(certificates.map(CertificateFile.pem).joined().utf8)
    }

    /// Runs a body in a folder that has these files in its folder `in`.
    @discardableResult func inFolder<Value>(_ files: [String: [UInt8]], _ body: (String) throws -> Value) throws
        -> Value
    {
        try ScratchFolder.withURL { folder in
            for (name, bytes) in files {
                let file = folder.appending(path: "in/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
            return try body(folder.path)
        }
    }

    /// Returns the certificates of the archive `a` that a script makes of files.
    func certificates(
        _ files: [String: [UInt8]], _ script: String, only part: String? = nil
    ) throws -> [[UInt8]] {
        try inFolder(files) { folder in
            try run(script, in: folder)
            return try RootFile.certificates(of: "\(folder)/a", only: part)
        }
    }

    /// Runs a script of the shell in a folder.
    func run(_ script: String, in folder: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = URL(filePath: folder)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
