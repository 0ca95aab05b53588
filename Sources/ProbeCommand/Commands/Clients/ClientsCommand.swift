import ArgumentParser
import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeTrust

/// `probe clients`: the clients that `--client` and fleets know.
struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Clients as they were shipped: their roots, offers and verifiers' habits, each with its source.",
        discussion: """
            EXAMPLES
              probe clients
              probe clients show android-7.0
              probe check --client android,openssl-1.0.2e example.com
            """,
        subcommands: [List.self, Show.self], defaultSubcommand: List.self)

    /// `probe clients list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the clients, and those of files of your own.",
            discussion: """
                EXAMPLES
                  probe clients list
                  probe clients list android java --format json
                  probe clients list terminals.yaml
                """)

        @Argument(help: ArgumentHelp("Names, families or files; all when not given.", valueName: "name"))
        var names: [String] = []

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            var catalogue = try ClientCatalogue.shipped()
            let clients = try catalogue.named(names.isEmpty ? ["all"] : names)
            guard format == .text else {
                for client in clients { Terminal.print(JSONText.line(ClientLine(client))) }
                return
            }
            let rows = clients.map { client in
                [
                    client.name, client.released, client.offer == ClientOffer() ? "not known" : "known",
                    client.roots ?? client.rootsFile ?? "the system's", client.habits.paths.rawValue,
                    client.program ?? "-", client.library + (client.isApproximate ? ", approximate" : ""),
                ].map { PrintableText.escape($0) }
            }
            Terminal.print(
                TextTable(
                    columns: ["NAME", "RELEASED", "OFFER", "ROOTS", "PATHS", "PROGRAM", "WHAT IT IS"], rows: rows
                )
                .text)
        }
    }

    /// `probe clients show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show every fact about clients, and where each was read.",
            discussion: """
                EXAMPLES
                  probe clients show android-7.0
                  probe clients show openssl --format json
                """)

        @Argument(help: ArgumentHelp("A name, a family or a file; repeat it.", valueName: "name"))
        var names: [String] = []

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            guard !names.isEmpty else {
                throw InputError("no client was named", remedy: "write probe clients show NAME; see probe clients")
            }
            var catalogue = try ClientCatalogue.shipped()
            for client in try catalogue.named(names) {
                let line = ClientLine(client)
                Terminal.print(format == .text ? line.text : JSONText.line(line))
            }
        }
    }
}
