public import FoundationEssentials

/// The chain has the expected certificates: hash, serial number, subject key identifier and public key are all equal
/// (requirements 88 and 89).
public struct CertificateMatches: Policy {
    private let expectations: [CertificateExpectation]

    /// The expectations that must all be met.
    public init(_ expectations: [CertificateExpectation]) {
        self.expectations = expectations
    }

    /// For each expectation a note that names the certificate, or one error with what the nearest one has instead.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        return expectations.map { judge($0, connection) }
    }

    private func judge(_ expectation: CertificateExpectation, _ connection: ConnectionEvidence) -> Finding {
        var nearest: (depth: Int, index: Int, comparison: CertificateComparison)?
        for (depth, index) in connection.indices(of: expectation.chain).enumerated()
        where expectation.position.includes(index: depth) {
            for expected in expectation.certificates {
                guard
                    let comparison = try? CertificateComparison(
                        seen: connection.certificates[index].der, expected: expected)
                else { continue }
                if nearest.map({ $0.comparison.equalCount < comparison.equalCount }) ?? true {
                    nearest = (depth, index, comparison)
                }
            }
        }
        let fix = "if it was replaced on purpose, expect the new one: probe pins shows what the server has"
        guard let nearest else {
            return .error(
                .pinMismatch, code: "certificate-differs", stage: .pins,
                "there is no readable certificate at \(expectation.position) to compare with \(expectation.name)",
                fix: fix)
        }
        let name = "certificate \(nearest.depth), \(connection.certificates[nearest.index].name)"
        guard nearest.comparison.isEqual else {
            return .error(
                .pinMismatch, code: "certificate-differs", stage: .pins,
                "no certificate at \(expectation.position) is that of \(expectation.name); the nearest is \(name): \(nearest.comparison.text)",
                fix: fix)
        }
        return .note(
            "certificate-matched", stage: .pins, "\(name) is that of \(expectation.name): \(nearest.comparison.text)")
    }
}
