public import ProbeKit

extension DNSScenario {
    /// How one resolver may keep a promise differently, because its stack decides before we see a packet.
    ///
    /// Only what is harmless can be exempted: nothing is said where the promise says something, or an answer is found where
    /// the promise gives up. A resolver that keeps the promise after all breaks its exemption.
    public struct Exemption: Sendable {
        /// What comes out instead; a subset of ``harmless``.
        public let outcomes: Set<Outcome>
        /// The code of a `dns-indeterminate` outcome; nil if any will do.
        public let code: String?
        /// What the stack does, in a sentence.
        public let reason: String

        /// The outcomes that can be exempted: a model may be listed, if an answer says so, or nothing is known. That one is
        /// not listed, or that there is no list, is never said where the promise does not say it.
        public static let harmless: Set<Outcome> = [.pass, .dnsIndeterminate]

        /// An exemption of its parts.
        public init(outcomes: Set<Outcome>, code: String? = nil, reason: String) {
            self.outcomes = outcomes
            self.code = code
            self.reason = reason
        }
    }

    /// The scenario with an exemption for the resolver whose identity has the name `backend`.
    func except(
        _ backend: String, _ outcomes: Outcome..., code: String? = nil, because reason: String
    ) -> DNSScenario {
        with { $0.exemptions[backend] = Exemption(outcomes: Set(outcomes), code: code, reason: reason) }
    }

    /// Whether nobody's exemption may let a model be listed here: what the servers of these topics send is forged, or comes
    /// with an error.
    public var isNeverListed: Bool {
        expected != .pass && ["dns/forgeries/", "dns/codes/", "dns/absence/"].contains { id.hasPrefix($0) }
    }
}
