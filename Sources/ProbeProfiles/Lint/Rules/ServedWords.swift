import ProbeKit

/// The words for a chain that a server presents, or for one from a file, which may replace it later.
struct ServedWords {
    private let areSupplied: Bool

    init(_ facts: LintFacts) {
        areSupplied = facts.areSupplied
    }

    /// The certificates that a pin is not of.
    var certificate: String { areSupplied ? "certificate of the chain that was given" : "certificate that is served" }

    /// The states that an unmarked pin of none of them may be in.
    var unmarked: String {
        areSupplied
            ? "it is of the chain in use, a backup for later, or stale" : "it is a backup for later, or stale"
    }

    /// Returns the words for a service's chain, as the object of a verb.
    func chain(of service: LintSubject.PlacedService) -> String {
        areSupplied ? "the chain that was given for \(service.label)" : "what \(service.label) serves"
    }

    /// Returns the advice to look at a chain whose pins are other ones.
    func comparison(_ service: LintSubject.PlacedService) -> String {
        "compare with 'probe pins \(areSupplied ? "FILE" : "\(service.service.target)")'"
    }

    /// Returns the advice about a pin of none of the certificates.
    func removal(_ subject: LintSubject) -> String {
        let removal = subject.fix(.removeStale)
        return areSupplied ? "keep it as long as its certificate is in use; after that \(removal)" : removal
    }

    /// Returns the fault of a backup that is of a chain.
    func used(_ service: LintSubject.PlacedService) -> String {
        areSupplied
            ? "the backup is of a certificate of the chain that was given for \(service.label), with which it is in use and not a backup any more"
            : "the backup is of a certificate that \(service.label) serves already, so it would be lost with the rest"
    }
}
