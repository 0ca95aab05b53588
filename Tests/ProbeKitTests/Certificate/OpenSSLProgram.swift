import Foundation
import ProbeKit

/// The `openssl` command in a folder of its own, for certificates that no library of ours makes.
struct OpenSSLProgram {
    /// The reason why a command failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: URL

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
    private static let path = "/usr/bin/openssl"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "probekit-openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> String { folder.appending(path: name).path }

    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "openssl \(arguments): \(String(decoding: said, as: UTF8.self))")
        }
    }

    /// Returns a certificate for `key.pem` that is signed with it.
    func certificate(digest: String?, options: [String] = []) throws -> [UInt8] {
        try run(
            ["req", "-x509", "-new", "-key", file("key.pem"), "-subj", "/CN=weak.test", "-days", "30"]
                + ["-set_serial", "0x4711", "-addext", "subjectAltName=DNS:weak.test,IP:192.0.2.1"]
                + (digest.map { ["-\($0)"] } ?? []) + options + ["-outform", "DER", "-out", file("certificate.der")])
        return try Array(Data(contentsOf: URL(filePath: file("certificate.der"))))
    }
}
