import ArgumentParser
import ProbeKit
import ProbeRun

/// The selection of backends.
struct BackendOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "TLS backend; repeat it, separate names by commas, or say all: all that can do what the options ask for.",
            valueName: "name"))
    var backend: [String] = ["all"]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "DNS backend; repeat it, separate names by commas, or say all: all that can ask the DNS servers given, as the options say.",
            valueName: "name"))
    var resolver: [String] = ["all"]

    @OptionGroup var plugins: PluginOptions

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: backend, resolvers: resolver)
    }

    func transports() throws(InputError) -> [any Transport] { try Backends.current.transports(named: backend) }
    func resolvers() throws(InputError) -> [any Resolver] { try Backends.current.resolvers(named: resolver) }

    /// Returns the validators of the chosen TLS backends that have one.
    func validators() throws(InputError) -> [any SignatureValidator] {
        guard !Backends.current.transports.isEmpty else { return [] }
        let chosen = Set(try transports().map(\.identity.name))
        let isAll = backend.contains { $0.split(separator: ",").contains("all") }
        return Backends.current.validators.filter { isAll || chosen.contains($0.identity.name) }
    }

    /// Returns a check with the backends that are asked for it, which names those of `all` that are not.
    func asked(_ check: Check) throws(InputError) -> AskedCheck {
        let transports = try able(needing: check.optionalCapabilities)
        let model = try check.model.map { model throws(InputError) in try asked(model) }
        let resolvers = if let model { model.resolvers } else { try resolvers() }
        let notes = transports.notes
        return AskedCheck(
            check: notes.reduce(check.asking(model?.check)) { $0.announcing($1) }, transports: transports.asked,
            resolvers: resolvers, notes: notes + (model?.notes ?? []))
    }

    /// Returns the transports for checks whose options need these capabilities.
    func able(needing capabilities: Set<TransportCapability>) throws(InputError) -> (
        asked: [any Transport], notes: [Finding]
    ) {
        let transports = try Backends.current.transports(named: backend, needing: capabilities)
        return (transports.asked, transports.note("backends", stage: .tls).map { [$0] } ?? [])
    }

    /// Returns the same for a model list alone.
    func asked(_ model: ModelCheck) throws(InputError) -> AskedModel {
        try Self.asked(model, resolvers: resolver)
    }

    static func asked(_ model: ModelCheck, resolvers names: [String]) throws(InputError) -> AskedModel {
        let resolvers = try Backends.current.resolvers(named: names, for: model)
        let note = resolvers.note("resolvers", stage: .dns)
        return AskedModel(
            check: note.map(model.announcing) ?? model, resolvers: resolvers.asked, notes: note.map { [$0] } ?? [])
    }
}

/// A check, and the backends that are asked for it.
struct AskedCheck {
    let check: Check
    let transports: [any Transport]
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}

/// A model list alone, and the backends that are asked for it.
struct AskedModel {
    let check: ModelCheck
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}
