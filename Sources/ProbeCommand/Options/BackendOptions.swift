import ArgumentParser
import ProbeKit

/// Which backends are asked.
struct BackendOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("TLS backend; repeat it, separate names by commas, or say all.", valueName: "name"))
    var backend: [String] = ["all"]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "DNS backend; repeat it, separate names by commas, or say all: all that can ask the DNS servers given.",
            valueName: "name"))
    var resolver: [String] = ["all"]

    @OptionGroup var plugins: PluginOptions

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: backend, resolvers: resolver)
    }

    func transports() throws(InputError) -> [any Transport] { try Backends.current.transports(named: backend) }
    func resolvers() throws(InputError) -> [any Resolver] { try Backends.current.resolvers(named: resolver) }

    /// The validators of the chosen TLS backends, where they have one.
    func validators() throws(InputError) -> [any SignatureValidator] {
        guard !Backends.current.transports.isEmpty else { return [] }
        let chosen = Set(try transports().map(\.identity.name))
        let isAll = backend.contains { $0.split(separator: ",").contains("all") }
        return Backends.current.validators.filter { isAll || chosen.contains($0.identity.name) }
    }

    /// The resolvers for a model check; nil asks none.
    func resolvers(for model: ModelCheck?) throws(InputError) -> [any Resolver] {
        try Backends.current.resolvers(named: resolver, for: model)
    }
}
