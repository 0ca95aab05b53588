public import ProbeKit

extension DNSScenario {
    /// A permitted difference of one resolver, because its stack decides before we see a packet.
    ///
    /// Only harmless differences can be exempted: an indeterminate result instead of a promised one, or an answer where
    /// the promise gives up. A resolver that keeps the promise after all breaks its exemption.
    public struct Exemption: Sendable {
        /// The outcomes instead; a subset of ``harmless``.
        public let outcomes: Set<Outcome>
        /// The code of a `dns-indeterminate` outcome; nil if any will do.
        public let code: String?
        /// The stack's behaviour, in a sentence.
        public let reason: String

        /// The outcomes that can be exempted: a model may be listed, if an answer contains it, or nothing is known. An
        /// exemption never permits "not listed" or "no list" where the promise differs.
        public static let harmless: Set<Outcome> = [.pass, .dnsIndeterminate]

        /// Creates an exemption.
        public init(outcomes: Set<Outcome>, code: String? = nil, reason: String) {
            self.outcomes = outcomes
            self.code = code
            self.reason = reason
        }
    }

    /// Returns the scenario with an exemption for the resolver whose identity has the name `backend`.
    func except(
        _ backend: String, _ outcomes: Outcome..., code: String? = nil, because reason: String
    ) -> DNSScenario {
        with { $0.exemptions[backend] = Exemption(outcomes: Set(outcomes), code: code, reason: reason) }
    }

    /// True if no exemption may let a model be listed here: the replies of these topics are forged, or come with an
    /// error.
    public var isNeverListed: Bool {
        expected != .pass && ["dns/forgeries/", "dns/codes/", "dns/absence/"].contains { id.hasPrefix($0) }
    }
}
