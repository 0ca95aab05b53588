public import ProbeKit

extension TLSScenario {
    /// The scenario with the deviations that exemptions from outside come to.
    public func exempting(_ exemptions: ConformanceExemptions) -> TLSScenario {
        with { scenario in
            for (backend, exemption) in exemptions.entries[id] ?? [:] {
                guard let outcome = exemption.outcomes.first else { continue }
                scenario.deviations[backend] = Deviation(
                    outcome, code: exemption.code, offlineTrust: exemption.offlineTrust, exemption.reason)
            }
        }
    }
}

extension DNSScenario {
    /// The scenario with exemptions from outside.
    public func exempting(_ exemptions: ConformanceExemptions) -> DNSScenario {
        with { scenario in
            for (backend, exemption) in exemptions.entries[id] ?? [:] {
                scenario.exemptions[backend] = Exemption(
                    outcomes: exemption.outcomes, code: exemption.code, reason: exemption.reason)
            }
        }
    }

    /// Whether these outcomes may be exempted: only what is harmless, and an answer may be found where the promise gives
    /// up, never where it says no, nor in what is forged.
    public func allows(_ outcomes: Set<Outcome>) -> Bool {
        guard !outcomes.isEmpty, outcomes.isSubset(of: Exemption.harmless) else { return false }
        let mayBeListed = [.pass, .dnsIndeterminate].contains(expected) && !isNeverListed
        return mayBeListed || !outcomes.contains(.pass)
    }
}

extension SignatureScenario {
    /// The scenario with the deviations that exemptions from outside come to.
    public func exempting(_ exemptions: ConformanceExemptions) -> SignatureScenario {
        with { scenario in
            for (backend, exemption) in exemptions.entries[id] ?? [:] {
                scenario.deviations[backend] = Deviation(cause: exemption.cause, reason: exemption.reason)
            }
        }
    }
}
