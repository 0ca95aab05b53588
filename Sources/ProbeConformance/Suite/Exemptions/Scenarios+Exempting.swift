public import ProbeKit

extension TLSScenario {
    /// Returns the scenario with the deviations from external exemptions.
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
    /// Returns the scenario with exemptions from outside.
    public func exempting(_ exemptions: ConformanceExemptions) -> DNSScenario {
        with { scenario in
            for (backend, exemption) in exemptions.entries[id] ?? [:] {
                scenario.exemptions[backend] = Exemption(
                    outcomes: exemption.outcomes, code: exemption.code, reason: exemption.reason)
            }
        }
    }

    /// Returns true if these outcomes may be exempted: only harmless ones, and an answer may be found where the promise
    /// gives up, but never where it says no, or for forged replies.
    public func allows(_ outcomes: Set<Outcome>) -> Bool {
        guard !outcomes.isEmpty, outcomes.isSubset(of: Exemption.harmless) else { return false }
        let mayBeListed = [.pass, .dnsIndeterminate].contains(expected) && !isNeverListed
        return mayBeListed || !outcomes.contains(.pass)
    }
}

extension SignatureScenario {
    /// Returns the scenario with the deviations from external exemptions.
    public func exempting(_ exemptions: ConformanceExemptions) -> SignatureScenario {
        with { scenario in
            for (backend, exemption) in exemptions.entries[id] ?? [:] {
                scenario.deviations[backend] = Deviation(cause: exemption.cause, reason: exemption.reason)
            }
        }
    }
}
