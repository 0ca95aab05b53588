import ProbeKit

/// The notes about a run and not about a target, on standard error where the output has no place for notes; each once.
struct RunNotes {
    private var reported: Set<String> = []

    mutating func report(_ findings: [Finding]) {
        for finding in findings where finding.isAboutRun && reported.insert(finding.message).inserted {
            Terminal.printError("probe: \(finding.message)")
        }
    }
}

extension Finding {
    /// True if it names backends that were not asked.
    var isAboutLeftOut: Bool { severity == .note && code.hasSuffix("-left-out") }

    /// True if it is the same for all targets: the backends that were not asked, and the settings of the machine.
    var isAboutRun: Bool { isAboutLeftOut || code == "system-settings" }
}
