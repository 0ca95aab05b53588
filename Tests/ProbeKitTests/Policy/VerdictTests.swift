import ProbeKit
import Testing

@Suite struct VerdictTests {
    private static func error(_ outcome: Outcome, stage: Stage = .tls) -> Finding {
        .error(outcome, stage: stage, "it failed", fix: "mend it")
    }

    @Test func exitCodesAreTheContract() {
        let codes: [(Outcome, Int32)] = [
            (.pass, 0), (.passWithWarnings, 0), (.pinMismatch, 10), (.trustFailed, 11), (.tlsPolicyFailed, 12),
            (.modelNotListed, 13), (.modelAbsent, 14), (.signatureInvalid, 15), (.policyFailed, 17), (.unreachable, 20),
            (.handshakeFailed, 20), (.dnsIndeterminate, 21), (.stacksDisagree, 30), (.readingsDisagree, 31),
            (.clientsLost, 16), (.unsupported, 40), (.localOverload, 40), (.internalError, 70),
        ]
        #expect(codes.count == Outcome.allCases.count)
        for (outcome, code) in codes { #expect(outcome.exitCode == code) }
    }

    /// internal, readings-disagree, stacks-disagree, signature, trust, pin, tls-policy, model, unsupported, dns, unreachable.
    @Test func theHighestRankedFailureDecides() {
        let order: [Outcome] = [
            .internalError, .readingsDisagree, .stacksDisagree, .signatureInvalid, .trustFailed, .pinMismatch,
            .tlsPolicyFailed, .clientsLost, .policyFailed, .modelNotListed, .modelAbsent, .unsupported,
            .dnsIndeterminate,
            .unreachable,
            .passWithWarnings,
            .pass,
        ]
        for (higher, lower) in zip(order, order.dropFirst()) {
            #expect(Outcome.deciding(among: [lower, higher]) == higher)
        }
        let verdict = Verdict([Self.error(.pinMismatch, stage: .pins), Self.error(.trustFailed, stage: .trust)])
        #expect(verdict.outcome == .trustFailed)
        #expect(verdict.stage == .trust)
    }

    /// Of several errors of one rank the first decides, and what only warns never does.
    @Test func theDecidingFindingIsOfTheDecidingOutcome() {
        let findings: [Finding] = [
            .warning("w", stage: .connect, "odd", fix: "look"), Self.error(.pinMismatch, stage: .pins),
            .error(.trustFailed, code: "first", stage: .tls, "it failed", fix: "mend it"),
            .error(.trustFailed, code: "second", stage: .trust, "it failed", fix: "mend it"),
        ]
        let verdict = Verdict(findings)
        #expect(verdict.decidingFinding?.code == "first" && verdict.stage == .tls)
        #expect(Verdict(Array(findings.prefix(1))).decidingFinding == nil)
        #expect(Verdict([]).decidingFinding == nil)
        #expect(Outcome.allCases.filter(\.isPass) == [.pass, .passWithWarnings])
    }

    @Test func warningsPassAndNotesAreNothing() {
        #expect(Verdict([]).outcome == .pass)
        #expect(Verdict([.note("n", stage: .pins, "seen")]).outcome == .pass)
        let warned = Verdict([.warning("w", stage: .trust, "odd", fix: "look")])
        #expect(warned.outcome == .passWithWarnings)
        #expect(warned.stage == nil)
        #expect(warned.decidingFinding == nil && warned.leadingFinding?.code == "w")
        let failed = Verdict([.warning("w", stage: .trust, "odd", fix: "look"), Self.error(.pinMismatch)])
        #expect(failed.leadingFinding?.outcome == .pinMismatch)
        #expect(Verdict([.note("n", stage: .pins, "seen")]).leadingFinding == nil)
    }

    @Test func everyErrorHasAnOutcomeAndARemedy() {
        let finding = Self.error(.trustFailed)
        #expect(finding.outcome == .trustFailed)
        #expect(finding.code == "trust-failed")
        #expect(!finding.fix.isEmpty)
    }

    /// An error fails whatever a policy gave it: an outcome that passes, or the class that lets a script continue.
    @Test(arguments: Outcome.allCases) func anErrorNeverPasses(outcome: Outcome) {
        let expected: Outcome = outcome.isPass ? .policyFailed : outcome
        let classed = Finding.error(outcome, class: .pass, stage: .tls, "it failed", fix: "look")
        for finding in [Self.error(outcome), classed] {
            #expect(finding.outcome == expected && finding.code == expected.rawValue)
            let verdict = Verdict([finding])
            #expect(verdict.outcome == expected && !verdict.outcome.isPass && verdict.decidingFinding == finding)
            #expect(verdict.outcomeClass == OutcomeClass(expected, code: nil) && verdict.outcomeClass != .pass)
        }
    }

    /// Of outcomes of one rank the first is kept.
    @Test func theFirstOfARankIsKept() {
        #expect(Outcome.deciding(among: [.unreachable, .handshakeFailed]) == .unreachable)
        #expect(Outcome.deciding(among: [.handshakeFailed, .unreachable]) == .handshakeFailed)
    }
}
