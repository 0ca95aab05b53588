import ProbeKit

/// The notes about backends that were not asked, on standard error where the output has no place for notes; each once.
struct LeftOutBackends {
    private var reported: Set<String> = []

    mutating func report(_ findings: [Finding]) {
        for finding in findings where finding.isAboutLeftOut && reported.insert(finding.message).inserted {
            Terminal.printError("probe: \(finding.message)")
        }
    }
}

extension Finding {
    /// Whether it names backends that were not asked.
    var isAboutLeftOut: Bool { severity == .note && code.hasSuffix("-left-out") }
}
