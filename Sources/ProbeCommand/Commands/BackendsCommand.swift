import ArgumentParser
import ProbeExternal
import ProbeKit

/// `probe backends`: the backends of this build, with the loaded versions.
struct BackendsCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "backends",
        abstract: "List the backends of this build and what each can do.",
        discussion: """
            EXAMPLES
              probe backends
              probe backends --format json
            """)

    private struct Line: Encodable {
        let kind: String
        let name: String
        let library: String
        let version: String
        let capabilities: [String]
        /// The reason why it can't be used, on this machine or at all; without it, it can.
        let absence: String?

        init(_ kind: String, _ backend: any Backend, _ capabilities: [String]) {
            self.kind = kind
            let identity = backend.identity
            name = identity.name
            library = identity.library
            version = identity.version
            absence = backend.absence?.description ?? (backend as? any ProgramBackend)?.fault?.description
            self.capabilities = absence == nil ? capabilities : []
        }

        var row: [String] { [kind, name, library, version, absence ?? capabilities.joined(separator: " ")] }
    }

    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: PlainOutputOptions

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: .all, resolvers: .all)
    }

    mutating func run() async throws {
        let format = try output.chosen()
        let backends = Backends.current
        let lines =
            backends.transports.map { Line("transport", $0, $0.capabilities.sorted().map(\.rawValue)) }
            + backends.resolvers.map { Line("resolver", $0, $0.capabilities.sorted().map(\.rawValue)) }
            + backends.digesters.map { Line("digester", $0, ["sha256"]) }
            + backends.validators.map { Line("validator", $0, ["cms-detached"]) }
        switch format {
        case .json:
            for line in lines { Terminal.print(JSONText.line(line)) }
        default:
            let table = TextTable(
                columns: ["KIND", "NAME", "LIBRARY", "VERSION", "CAPABILITIES"],
                rows: lines.map(\.row))
            Terminal.print(table.text)
        }
    }
}
