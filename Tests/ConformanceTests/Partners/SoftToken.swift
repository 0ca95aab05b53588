import Foundation
import ProbeLab
import ProbeTestSupport
import Subprocess

/// A PKCS #11 token of SoftHSM in a folder of its own, with the programs that fill it.
///
/// Its module reads `SOFTHSM2_CONF` when it is loaded, so only programs that are started with that see the token.
struct SoftToken: Sendable {
    static let pin = "271828"
    private let folder: PartnerFolder
    private let configuration: String

    /// The module's path, where Debian and others put it.
    static let module = [
        "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
        "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so",
    ].first { FileManager.default.fileExists(atPath: $0) }

    /// True if tokens can be made and filled here; for `.enabled(if:)`.
    static let isInstalled =
        module != nil && PartnerProcess.isInstalled("softhsm2-util") && PartnerProcess.isInstalled("p11tool")

    /// Makes a token with the label `lab`, and the files `pin` and `wrong` with its PIN and another.
    init() async throws {
        folder = try PartnerFolder()
        try FileManager.default.createDirectory(atPath: "\(folder.path)/tokens", withIntermediateDirectories: true)
        configuration = try folder.write(
            "directories.tokendir = \(folder.path)/tokens\nobjectstore.backend = file\n", to: "softhsm2.conf")
        for (name, text) in [("pin", Self.pin), ("wrong", "314159")] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.write("\(text)\n", to: name))
        }
        try await run(
            "softhsm2-util", "--init-token", "--free", "--label", "lab", "--pin", Self.pin, "--so-pin", "12345678")
    }

    /// The path of a file in the token's folder.
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a file next to the token.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

    /// Makes a key and a certificate for it that it signs itself, as `LABEL.pem`, and moves both into the token.
    ///
    /// - Parameter algorithm: the key's, as `openssl req -newkey` names it.
    func generate(_ label: String, _ algorithm: String...) async throws {
        try await run(
            "openssl",
            arguments: ["req", "-x509", "-newkey"] + algorithm + [
                "-nodes", "-subj", "/CN=\(label)", "-days", "2", "-keyout", path("\(label).key"), "-out",
                path("\(label).pem"),
            ])
        try await add(label, "--load-privkey", path("\(label).key"))
        try await add(label, "--load-certificate", path("\(label).pem"))
        try FileManager.default.removeItem(atPath: path("\(label).key"))
    }

    /// Moves an object into the token.
    func add(_ label: String, _ option: String, _ file: String) async throws {
        let id = label.utf8.map { String($0, radix: 16) }.joined()
        try await run(
            "p11tool", "--provider", Self.module ?? "", "--login", "--set-pin", Self.pin, "--batch", "--write", option,
            file, "--label", label, "--id", id, "pkcs11:token=lab")
    }

    /// Runs `probe` with the token there.
    func probe(_ arguments: [String]) async throws -> ProgramOutcome {
        try await outcome(ExporterUnderTest.probe, arguments)
    }

    private func run(_ program: String, _ arguments: String...) async throws {
        try await run(program, arguments: arguments)
    }

    private func run(_ program: String, arguments: [String]) async throws {
        let found = try await outcome(program, arguments)
        guard found.code == 0 else {
            throw PartnerProcess.StartError(description: "\(program) \(arguments): \(found.output)\(found.errors)")
        }
    }

    private func outcome(_ program: String, _ arguments: [String]) async throws -> ProgramOutcome {
        try await ProgramOutcome(
            of: .name("env"), [program] + arguments,
            environment: .inherit.updating(["SOFTHSM2_CONF": configuration]))
    }
}
