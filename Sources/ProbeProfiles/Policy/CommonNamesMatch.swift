import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTrust

/// Pins that count only for a leaf with the common name that they are listed for: wultra's clients look fingerprints up
/// by the common name of the presented leaf, and not by the host (`CertStore+Validation.swift` of
/// wultra/ssl-pinning-ios).
///
/// ``PinsMatch`` decides if a pin is of the leaf at all; this policy is about the name of one that is.
struct CommonNamesMatch: Policy {
    private let sets: [PinSet]
    private let isEnforced: Bool

    /// Creates the policy; nil if none of the pins is for a common name.
    ///
    /// - Parameter isEnforced: true if the environment enforces pins at all.
    init?(_ sets: [PinSet], isEnforced: Bool) {
        self.sets = sets.filter(\.hasCommonNames)
        guard !self.sets.isEmpty else { return nil }
        self.isEnforced = isEnforced
    }

    /// Returns an error or warning for each set whose pin of the leaf is for other names.
    func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, let index = connection.presented.first,
            let digests = try? connection.certificates[index].digests.get()
        else { return [] }
        let name = connection.certificates[index].commonName
        let second = Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
        return sets.compactMap { finding($0, digests, name, at: second) }
    }

    private func finding(_ set: PinSet, _ digests: CertificateDigests, _ name: String?, at second: Date) -> Finding? {
        guard set.expiry.map({ second <= $0.last }) ?? true else { return nil }
        let known = set.members.filter { digests[$0.pin.kind] == $0.pin.digest }
        let pins = known.filter { $0.expires.map { second <= $0 } ?? true }
        guard !pins.isEmpty, !pins.contains(where: { $0.isFor(name) }) else { return nil }
        if let last = known.filter({ $0.isFor(name) }).compactMap(\.expires).max() {
            return ended(set, name, after: last)
        }
        let listed = pins.compactMap(\.commonName).map { "'\($0)'" }.joined(separator: " and ")
        let message =
            "the pin of the leaf is for the common name \(listed), and the leaf \(name.map { "has '\($0)'" } ?? "has none"): clients look pins up by that name, whatever the host, and find none"
        let fix: Fix =
            name == nil
            ? "issue the certificate with the common name that it is listed for"
            : "list the certificate for its own common name, or issue it with the listed one"
        return isEnforced && set.isEnforced
            ? .error(.pinMismatch, code: "common-name-differs", stage: .pins, message, fix: fix)
            : .warning("common-name-differs", stage: .pins, "\(message); this group only reports", fix: fix)
    }

    /// Returns the finding for a leaf whose pin is listed for its name, and has ended there.
    private func ended(_ set: PinSet, _ name: String?, after last: Date) -> Finding {
        let message =
            "the pin of the leaf\(name.map { " for the common name '\($0)'" } ?? "") stopped counting after \(RFC3339.format(last)); it counts for other common names alone"
        let fix: Fix = "move its expiry"
        return isEnforced && set.isEnforced
            ? .error(.pinMismatch, code: "pins-expired", stage: .pins, message, fix: fix)
            : .warning("pins-expired", stage: .pins, "\(message); this group only reports", fix: fix)
    }
}
