import Foundation
import ProbeLab
import Subprocess

/// The openssl program: pipelines run to their end, and a TLS server on a port of its own choice.
enum OpenSSL {
    /// For `.enabled(if:)`.
    static var isInstalled: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/openssl") }
    }

    /// The server ended without saying which port it took.
    struct StartError: Error {}

    /// Runs the program with `input`, and returns its output.
    static func run(_ arguments: [String], input: [UInt8]) async throws -> [UInt8] {
        try await Subprocess.run(
            .name("openssl"), arguments: Arguments(arguments), input: .array(input),
            output: .bytes(limit: 65_536), error: .discarded
        ).standardOutput
    }

    /// Runs `body` with the port of an `openssl s_server` on 127.0.0.1 that presents `identity`; its process group ends
    /// with the call. Further arguments are in the program's own words.
    static func serve<Result: Sendable>(
        _ identity: LabIdentity, _ arguments: [String] = [], staple: [UInt8]? = nil,
        _ body: @escaping @Sendable (UInt16) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gnutls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ bytes: some Sequence<UInt8>, _ name: String) throws -> String {
            let file = folder.appending(path: name)
            try Data(Array(bytes)).write(to: file)
            return file.path
        }
        // s_server reads the first certificate of one file, and all of the other.
        var files = ["-cert", try write(identity.chainPEM.utf8, "leaf.pem")]
        files += ["-key", try write(identity.keyPEM.utf8, "key.pem")]
        if identity.chain.count > 1 { files += ["-cert_chain", try write(identity.issuersPEM.utf8, "others.pem")] }
        let status = try staple.map { ["-status_file", try write($0, "ocsp.der")] } ?? []
        var options = PlatformOptions()
        options.createSession = true
        return try await Subprocess.run(
            .name("openssl"),
            arguments: Arguments(["s_server", "-accept", "127.0.0.1:0", "-www"] + files + status + arguments),
            platformOptions: options, input: .none, output: .sequence, error: .discarded
        ) { execution in
            defer { try? execution.send(signal: .kill, toProcessGroup: true) }
            // It prints little, so that its output need not be read after the port is known.
            var text = ""
            for try await buffer in execution.standardOutput {
                text += String(decoding: unsafe buffer.withUnsafeBytes { unsafe Array($0) }, as: UTF8.self)
                if let port = announcedPort(in: text) { return try await body(port) }
            }
            throw StartError()
        }.closureResult
    }

    /// Returns the port in a whole line `ACCEPT 127.0.0.1:PORT`.
    private static func announcedPort(in text: String) -> UInt16? {
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .first { $0.hasPrefix("ACCEPT ") }?
            .split(separator: ":").last.flatMap { UInt16($0) }
    }
}
