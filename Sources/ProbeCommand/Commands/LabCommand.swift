import ArgumentParser
import Foundation
import ProbeKit
import ProbeLab

/// `probe lab`: the loopback internet to try things on.
struct LabCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Bring up TLS and DNS endpoints on loopback, good and bad ones.",
        discussion: """
            EXAMPLES
              probe lab                    endpoints until Ctrl-C, with a command line for each
              probe lab --check            probe them all through every backend, print the matrix, and stop

            EXIT CODES
              with --check: 0 every verdict as expected · 30 some are not · 40 this process was too late for some
            """)

    @Flag(help: "Probe every endpoint through every backend, print the matrix of verdicts, and stop.")
    var check = false

    @Option(help: ArgumentHelp("Where to write the lab's CA certificate.", valueName: "file"), completion: .file())
    var caFile: String?

    @OptionGroup var backends: BackendOptions
    @OptionGroup var log: LogOptions

    var selection: BackendSelection { backends.selection }

    mutating func run() async throws {
        let idle = [
            ("--backend", !backends.transportChoice.isDefault), ("--resolver", !backends.resolverChoice.isDefault),
            ("--system-settings", backends.systemSettings),
        ].filter(\.1).map(\.0)
        if let option = idle.first, !check {
            throw InputError("\(option) is of no use without --check", remedy: "leave it out, or give --check too")
        }
        guard caFile != "-", caFile != "" else {
            throw InputError(
                "--ca-file \(caFile == "-" ? "-" : "''") is not a file",
                remedy: "name one that the lab's clients can read")
        }
        let lab = try await Lab.start(at: .now)
        do {
            if check {
                if let caFile { try Self.write(lab.authorityPEM, to: caFile) }
                let outcome = try await LabMatrix(
                    lab: lab, transports: backends.transports(), resolvers: backends.resolvers()
                )
                .run()
                await lab.stop()
                if outcome != .pass { throw ExitCode(outcome.exitCode) }
            } else {
                try await serve(lab)
            }
        } catch {
            await lab.stop()
            throw error
        }
    }

    private func serve(_ lab: Lab) async throws {
        // A signal that came before this would leave the folder behind. The second request to end does not wait for the
        // servers.
        let interruption = Interruption { _, count in if count > 1 { Departure.now(0) } }
        if let caFile {
            try Self.write(lab.authorityPEM, to: caFile)
            await serve(lab, ca: caFile, until: interruption)
        } else {
            let folder = try OwnFolder()
            defer { folder.remove() }
            let ca = "\(folder.path)/ca.pem"
            try OutputFile(path: ca).write(Array(lab.authorityPEM.utf8))
            await serve(lab, ca: ca, until: interruption)
        }
        withExtendedLifetime(interruption) {}
    }

    private func serve(_ lab: Lab, ca path: String, until interruption: Interruption) async {
        show(lab, ca: path)
        _ = await interruption.signal
        await lab.stop()
    }

    private static func write(_ pem: String, to path: String) throws(InputError) {
        do throws(InputError) {
            try OutputFile(path: path).write(Array(pem.utf8))
        } catch {
            throw InputError("--ca-file \(error.message)", remedy: error.remedy, source: error.source)
        }
    }

    private func show(_ lab: Lab, ca path: String) {
        Terminal.print("The lab is up; its CA is \(path). Ctrl-C ends it.\n")
        let table = TextTable(
            columns: ["ID", "EXPECTED", "WHAT IT IS"],
            rows: lab.endpoints.map { [$0.id, $0.expected.rawValue, $0.sentence] })
        Terminal.print(table.text + "\n")
        for endpoint in lab.endpoints {
            Terminal.print("probe \(LabMatrix.arguments(endpoint, lab: lab, ca: path).joined(separator: " "))")
        }
        let server = lab.dohServer
        Terminal.print(
            "probe models \(Lab.modelHost) --dns-server \(server) --dns-connect \(server.endpoint) --dns-ca \(path)")
    }
}
