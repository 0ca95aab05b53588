import ProbeBench
import ProbeKit
import ProbeNet
import ProbeRun

/// The backends of this build, selected by name.
struct Backends: Sendable {
    let transports: [any Transport]
    let resolvers: [any Resolver]
    let digesters: [any Digester]
    let validators: [any SignatureValidator]
    /// Reads client identities; nil if this build has no reader.
    let identities: (any ClientIdentity.Reader)?
    /// Opens client identities in PKCS #11 tokens; nil if this build has nothing that does.
    let tokens: (any ClientIdentity.TokenReader)?
    /// The policies that `--policy` and profiles can name.
    let policies: [String: any Policy]
    /// Finds the addresses of names where a command has to know them.
    let lookup: HostLookup
    /// Answers about the records that `--follow` asks for; nil asks DNS servers.
    let records: (any RecordSource)?
    /// The benchmarks of `probe bench`.
    let bench: BenchKit
    /// The files beside programs that list their known differences.
    private(set) var exemptions: [String] = []
    /// True if the command has options that find backends in other programs.
    private var findsPrograms = true

    /// The backends of the command that is running; arguments can't carry them.
    @TaskLocal static var current = Backends()

    private init() {
        transports = []
        resolvers = []
        digesters = []
        validators = []
        identities = nil
        tokens = nil
        policies = NamedPolicies.all
        lookup = .system
        records = nil
        bench = BenchKit()
    }

    /// - Throws: ``InputError`` if two backends of a kind have one name.
    init(
        transports: [any Transport], resolvers: [any Resolver], digesters: [any Digester],
        validators: [any SignatureValidator] = [], identities: (any ClientIdentity.Reader)? = nil,
        tokens: (any ClientIdentity.TokenReader)? = nil, policies: [String: any Policy] = NamedPolicies.all,
        lookup: HostLookup = .system,
        records: (any RecordSource)? = nil, bench: BenchKit = BenchKit()
    ) throws(InputError) {
        try Self.checkUnique(transports.map(\.name), kind: "transports")
        try Self.checkUnique(resolvers.map(\.name), kind: "resolvers")
        try Self.checkUnique(digesters.map(\.name), kind: "digesters")
        try Self.checkUnique(validators.map(\.name), kind: "validators")
        self.transports = transports
        self.resolvers = resolvers
        self.digesters = digesters
        self.validators = validators
        self.identities = identities
        self.tokens = tokens
        self.policies = policies
        self.lookup = lookup
        self.records = records
        self.bench = bench
    }

    /// Returns the same with further backends.
    ///
    /// - Parameter exemptions: the files that list their known differences.
    /// - Throws: ``InputError`` if two backends of a kind have one name.
    func adding(
        transports: [any Transport], resolvers: [any Resolver], exemptions: [String]
    ) throws(InputError) -> Backends {
        var all = try Backends(
            transports: self.transports + transports, resolvers: self.resolvers + resolvers, digesters: digesters,
            validators: validators, identities: identities, tokens: tokens, policies: policies, lookup: lookup,
            records: records, bench: bench)
        all.exemptions = exemptions
        return all
    }

    /// The same for a command without options that find backends in other programs.
    var withoutPrograms: Backends {
        var same = self
        same.findsPrograms = false
        return same
    }

    /// Returns the transports that `--backend` names.
    func transports(named choice: BackendChoice) throws(InputError) -> [any Transport] {
        try presentTransports(choice).reported()
    }

    /// Returns the transport that `--backend` names, for a command that asks one; without a name the first that is there, and no
    /// library of another is opened.
    func transport(named name: String?) throws(InputError) -> any Transport {
        if name == nil, let first = transports.first(where: { $0.absence == nil }) { return first }
        let chosen = try transports(named: name.map { BackendChoice([$0]) } ?? .all)
        guard chosen.count == 1 else {
            throw InputError("--backend names several", remedy: "one is asked here; choose one of them")
        }
        return chosen[0]
    }

    private func presentTransports(_ choice: BackendChoice) throws(InputError) -> PresentBackends<any Transport> {
        guard !transports.isEmpty else {
            throw InputError("this build has no TLS backend", remedy: "use one that has")
        }
        let option = "--backend"
        return try PresentBackends(
            Self.select(
                choice, from: transports, option: option, findsPrograms: findsPrograms, name: \.name), named: choice,
            option: option, name: \.name, absence: \.absence)
    }

    /// Returns the validators that `--backend` names.
    func validators(named choice: BackendChoice) throws(InputError) -> [any SignatureValidator] {
        guard !validators.isEmpty else {
            throw InputError("this build validates no signatures", remedy: "use one that does")
        }
        let option = "--backend"
        return try PresentBackends(
            Self.select(choice, from: validators, option: option, findsPrograms: false, name: \.name), named: choice,
            option: option, name: \.name, absence: \.absence
        ).reported()
    }

    /// Returns the resolvers that `--resolver` names.
    func resolvers(named choice: BackendChoice) throws(InputError) -> [any Resolver] {
        try presentResolvers(choice).reported()
    }

    /// Returns the resolver that `--resolver` names, for a command that asks one; without a name the first that is there and is
    /// able to, and no library of another is opened.
    func resolver(named name: String?, for model: ModelCheck) throws(InputError) -> (any Resolver)? {
        if name == nil {
            let able = resolvers.first { resolver in
                model.missing(from: resolver.capabilities).subtracting([.rawReply]).isEmpty && resolver.absence == nil
            }
            if let able { return able }
        }
        return try resolvers(named: name.map { BackendChoice([$0]) } ?? .all, for: model).asked.first
    }

    private func presentResolvers(_ choice: BackendChoice) throws(InputError) -> PresentBackends<any Resolver> {
        try PresentBackends(
            chosenResolvers(choice), named: choice, option: "--resolver", name: \.name, absence: \.absence)
    }

    /// Returns the resolvers that `--resolver` names, for a command that may have nothing to ask them: their libraries are not
    /// opened, and some may not be there.
    func chosenResolvers(_ choice: BackendChoice) throws(InputError) -> [any Resolver] {
        try Self.select(
            choice, from: resolvers, option: "--resolver", findsPrograms: findsPrograms, name: \.name)
    }

    /// Returns the transports for checks whose options need these capabilities. The capabilities of every handshake are
    /// not among them: a transport that lacks one can't probe at all, and reports that.
    func transports(
        named choice: BackendChoice, needing capabilities: Set<TransportCapability>
    ) throws(InputError) -> AbleBackends<any Transport> {
        AbleBackends(try presentTransports(choice), named: choice, name: \.name) { transport in
            capabilities.subtracting(transport.capabilities).map(\.rawValue)
        }
    }

    /// Returns the resolvers for a model check.
    func resolvers(named choice: BackendChoice, for model: ModelCheck) throws(InputError) -> AbleBackends<any Resolver>
    {
        AbleBackends(try presentResolvers(choice), named: choice, name: \.name) { resolver in
            model.missing(from: resolver.capabilities).subtracting([.rawReply]).map(\.rawValue)
        }
    }

    /// - Parameter findsPrograms: true if a program can be such a backend, and the command has options to find it.
    private static func select<Backend>(
        _ choice: BackendChoice, from backends: [Backend], option: String, findsPrograms: Bool,
        name: (Backend) -> String
    ) throws(InputError) -> [Backend] {
        let known = backends.map(name)
        if let stranger = choice.names.first(where: { !known.contains($0) }) {
            throw InputError(
                "\(option) '\(stranger)' is not in this build",
                remedy: "choose among \(known.joined(separator: ", ")), or all"
                    + (findsPrograms ? "; a program of its own is found by --plugin-path" : ""))
        }
        return choice.isAll
            ? backends : choice.names.compactMap { wanted in known.firstIndex(of: wanted).map { backends[$0] } }
    }

    private static func checkUnique(_ names: [String], kind: String) throws(InputError) {
        for name in Set(names) where names.count(where: { $0 == name }) > 1 {
            throw InputError("two \(kind) of this build have the name '\(name)'", remedy: "give each a name of its own")
        }
    }
}
