package import ProbeKit
package import ProbePins
import ProbeTrust

/// The common name by which advice about a server (backups, ends) chooses pins, of a list for many names. Verdicts are by
/// all of them: clients look pins up by the presented leaf's name, whatever the host.
package enum AdvisedName {
    /// Returns the name of the leaf that was seen, or without a chain the host's; nil if it has none.
    package static func of(_ target: Target, seeing served: ConnectionEvidence?) -> String? {
        guard let served, !served.certificates.isEmpty else { return target.name.sni }
        return served.commonNameOfLeaf
    }
}

extension ConnectionEvidence {
    /// The common name of the presented leaf; nil if it has none, or no certificate was seen.
    package var commonNameOfLeaf: String? { presented.first.flatMap { certificates[$0].commonName } }
}

extension Check {
    /// Returns the groups of pins as advice about the server is by them, in their order.
    package func advisedPins(seeing served: ConnectionEvidence?) -> [PinGroup] {
        let name = AdvisedName.of(target, seeing: served)
        return pins.map { $0.advised(for: name) }
    }
}
