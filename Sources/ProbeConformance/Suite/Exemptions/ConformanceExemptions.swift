public import ProbeKit

/// Known differences of backends from promises, and their reasons: those that an external backend states about itself,
/// beside those written with the scenarios about this package's backends.
///
///     let exemptions = try ConformanceExemptions.read("exemptions.json")
///     let report = await ConformanceSuite(transports: [MyTransport()], resolvers: [], exemptions: exemptions).run()
///
/// An exemption is checked like a promise: a stale one breaks its case.
public struct ConformanceExemptions: Sendable {
    /// The difference of one backend in one case.
    public struct Exemption: Hashable, Sendable {
        /// The outcomes instead: exactly one outcome of a TLS or signature case, for DNS a subset of
        /// ``DNSScenario/Exemption/harmless``.
        public let outcomes: Set<Outcome>
        /// The code of the finding that decides it; nil if any will do.
        public let code: String?
        /// The trust result without a connection of a TLS case, if it differs from the handshake's: a cause, or
        /// `accepted`.
        public let offlineTrust: String?
        /// The difference of the stack, in a sentence.
        public let reason: String

        /// Creates an exemption.
        public init(
            _ outcomes: Outcome..., code: String? = nil, offlineTrust: String? = nil, because reason: String
        ) {
            self.init(outcomes: Set(outcomes), code: code, offlineTrust: offlineTrust, reason: reason)
        }

        init(outcomes: Set<Outcome>, code: String?, offlineTrust: String? = nil, reason: String) {
            self.outcomes = outcomes
            self.code = code
            self.offlineTrust = offlineTrust
            self.reason = reason
        }
    }

    /// By the case's id, then by the backend's name.
    private(set) var entries: [String: [String: Exemption]] = [:]

    /// Creates an empty set of exemptions.
    public init() {}

    /// Creates the exemptions of one backend.
    ///
    /// - Parameters:
    ///   - backend: the name in its identity.
    ///   - cases: by the exact ids of the cases.
    /// - Throws: ``InputError`` naming the case that can't be exempted so.
    public init(of backend: String, _ cases: [String: Exemption]) throws(InputError) {
        for (id, exemption) in cases.sorted(by: { $0.key < $1.key }) { try add(exemption, to: id, of: backend) }
    }

    /// The names of the backends that are exempted from something.
    public var backends: Set<String> { Set(entries.values.flatMap(\.keys)) }

    /// Returns a backend's exemption from a case; nil if it has none.
    public func exemption(from id: String, of backend: String) -> Exemption? { entries[id]?[backend] }

    /// Returns the union.
    ///
    /// - Throws: ``InputError`` if both exempt one backend from one case.
    public func merging(_ other: ConformanceExemptions) throws(InputError) -> ConformanceExemptions {
        var merged = self
        for (id, exemptions) in other.entries.sorted(by: { $0.key < $1.key }) {
            for (backend, exemption) in exemptions.sorted(by: { $0.key < $1.key }) {
                try merged.add(exemption, to: id, of: backend)
            }
        }
        return merged
    }

    /// Refuses an exemption that can't take effect: its case is about another kind of backend than the one of that name.
    ///
    /// - Parameters:
    ///   - transports: the names of the transports.
    ///   - resolvers: the names of the resolvers.
    ///   - validators: the names of the validators.
    /// - Throws: ``InputError`` naming the case and the backend.
    public func check(transports: Set<String>, resolvers: Set<String>, validators: Set<String>) throws(InputError) {
        let known = transports.union(resolvers).union(validators)
        for (id, exemptions) in entries.sorted(by: { $0.key < $1.key }) {
            let exempted = try ExemptibleCase.named(id)
            let able =
                switch exempted {
                case .tls: transports
                case .dns: resolvers
                case .signature: validators
                }
            guard let other = exemptions.keys.sorted().first(where: { known.contains($0) && !able.contains($0) })
            else { continue }
            throw InputError(
                "\(other) is exempted from \(id), and is not a \(exempted.kind)",
                remedy: "take the entry out, or name the \(exempted.kind) that differs there", source: .file)
        }
    }

    mutating func add(_ exemption: Exemption, to id: String, of backend: String) throws(InputError) {
        guard entries[id]?[backend] == nil else {
            throw InputError("\(backend) is exempted from \(id) twice", remedy: "say once how it differs there")
        }
        guard !exemption.reason.allSatisfy(\.isWhitespace) else {
            throw InputError(
                "\(backend) is exempted from \(id) for no reason", remedy: "say in a sentence what the stack does")
        }
        if let problem = try ExemptibleCase.named(id).problem(with: exemption, of: backend) {
            throw InputError("\(backend) can't be exempted from \(id) so: \(problem.what)", remedy: problem.remedy)
        }
        entries[id, default: [:]][backend] = exemption
    }
}
