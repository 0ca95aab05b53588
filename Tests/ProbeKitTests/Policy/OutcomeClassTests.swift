import ProbeKit
import Testing

@Suite struct OutcomeClassTests {
    @Test("[R48] every outcome has its class") func outcomesHaveClasses() {
        let classes: [(Outcome, OutcomeClass)] = [
            (.pass, .pass), (.passWithWarnings, .pass), (.pinMismatch, .security), (.trustFailed, .security),
            (.tlsPolicyFailed, .configuration), (.modelNotListed, .security), (.modelAbsent, .configuration),
            (.signatureInvalid, .security), (.unreachable, .transient), (.handshakeFailed, .configuration),
            (.dnsIndeterminate, .transient), (.stacksDisagree, .security), (.readingsDisagree, .security),
            (.unsupported, .configuration), (.policyFailed, .configuration), (.localOverload, .transient),
            (.internalError, .internal), (.clientsLost, .security),
        ]
        #expect(classes.count == Outcome.allCases.count)
        for (outcome, expected) in classes { #expect(OutcomeClass(outcome, code: nil) == expected) }
    }

    /// A policy of a user's own says which reaction it asks for; it can't fail and let a script continue.
    @Test(arguments: OutcomeClass.allCases) func aPolicyNamesItsOwnClass(_ wanted: OutcomeClass) {
        let finding = Finding.error(class: wanted, code: "long-lived", stage: .tls, "too long", fix: "renew it")
        let verdict = Verdict([finding])
        #expect(verdict.outcome == .policyFailed && verdict.outcome.exitCode == 17)
        #expect(verdict.decidingFinding?.code == "long-lived")
        #expect(verdict.outcomeClass == (wanted == .pass ? .configuration : wanted))
    }

    @Test(
        "[R48] a server that went away is transient, one that breaks the protocol is not",
        arguments: HandshakeFailure.Code.allCases)
    func failuresHaveClasses(code: HandshakeFailure.Code) {
        let transient: Set<HandshakeFailure.Code> = [
            .nameNotFound, .nameLookupFailed, .connectionRefused, .networkUnreachable,
            .connectTimeout, .connectionReset, .connectionClosed, .handshakeTimeout, .localOverload, .proxyUnreachable,
            .proxyConnectFailed,
        ]
        #expect(code.isTransient == transient.contains(code))
        let expected: OutcomeClass = transient.contains(code) ? .transient : .configuration
        #expect(OutcomeClass(.handshakeFailed, code: code.rawValue) == expected)
    }

    /// Evidence from before a connection broke may fail already, and that is the verdict.
    @Test func aSecurityFailureOutranksSilence() {
        let verdict = Verdict([
            .error(.handshakeFailed, code: "connection-reset", stage: .tls, "gone", fix: "look"),
            .error(.trustFailed, code: "expired", stage: .trust, "old", fix: "renew"),
        ])
        #expect(verdict.outcomeClass == .security)
    }
}
