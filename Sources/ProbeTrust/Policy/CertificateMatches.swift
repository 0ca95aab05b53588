public import ProbeKit
public import ProbePlatform

/// Requires that the chain has the expected certificates: hash, serial number, subject key identifier and public key
/// are all equal (requirements 88 and 89).
public struct CertificateMatches: Policy {
    private let expectations: [CertificateExpectation]
    private let trust: TrustMode

    /// Creates a policy whose expectations must all be met, on the path of every verifier whose trust decision counts.
    public init(_ expectations: [CertificateExpectation], trust: TrustMode = .both) {
        self.expectations = expectations
        self.trust = trust
    }

    /// Returns for each expectation a note that names the certificate, or one error with the nearest one's differences.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        return expectations.map { judge($0, connection) }
    }

    private func judge(_ expectation: CertificateExpectation, _ connection: ConnectionEvidence) -> Finding {
        let wanted = expectation.certificates.map(ReadCertificate.init)
        let judged = connection.chains(expectation.chain, by: trust).map { path in
            (path: path, finding: judge(expectation, wanted, connection, path.indices))
        }
        guard let holding = judged.first(where: { $0.finding.severity != .error }),
            let failing = judged.first(where: { $0.finding.severity == .error })
        else { return judged[0].finding }
        return .error(
            .stacksDisagree, code: "paths-differ", stage: .pins,
            "the certificate of \(expectation.name) is on the path of \(holding.path.takers.joined(separator: " and ")), \(connection.text(of: holding.path.indices)), and not on that of \(failing.path.takers.joined(separator: " and ")), \(connection.text(of: failing.path.indices)); \(failing.finding.message)",
            fix:
                "expect a certificate that both paths have, or configure the server to send only the intermediates of one path"
        )
    }

    private func judge(
        _ expectation: CertificateExpectation, _ wanted: [ReadCertificate], _ connection: ConnectionEvidence,
        _ chain: [Int]
    ) -> Finding {
        var nearest: (depth: Int, index: Int, comparison: CertificateComparison)?
        for (depth, index) in chain.enumerated()
        where expectation.position.includes(index: depth) {
            let seen = connection.certificates[index].read
            for expected in wanted {
                guard let comparison = try? CertificateComparison(seen: seen, expected: expected) else { continue }
                if nearest.map({ $0.comparison.equalCount < comparison.equalCount }) ?? true {
                    nearest = (depth, index, comparison)
                }
            }
        }
        let fix: Fix = "if it was replaced on purpose, expect the new one: probe pins shows what the server has"
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

/// Certificates of which a chain has to have one, compared attribute by attribute (requirements 88 and 89).
public struct CertificateExpectation: Hashable, Sendable {
    /// The name in reports: the file's path.
    public let name: String
    /// The alternatives, DER.
    public let certificates: [[UInt8]]
    /// The positions in the chain where it may be.
    public let position: PinPosition
    /// The chain to search.
    public let chain: PinChain

    /// Creates an expectation.
    public init(
        name: String, certificates: [[UInt8]], position: PinPosition = .any, chain: PinChain = .validated
    ) {
        self.name = name
        self.certificates = certificates
        self.position = position
        self.chain = chain
    }

    /// Reads `FILE` or `FILE@POSITION`; the file contains PEM or DER.
    ///
    /// - Throws: `InputError` naming the file.
    public init(_ text: String, chain: PinChain = .validated) throws(InputError) {
        var (path, position) = (text, PinPosition.any)
        if let at = text.lastIndex(of: "@") {
            let word = String(text[text.index(after: at)...])
            if let stated = PinPosition(word) {
                (path, position) = (String(text[..<at]), stated)
            } else if word.hasPrefix("first-") {
                throw InputError("'\(word)' is not a position", remedy: "positions are leaf, ca, any and first-N")
            }
        }
        self.init(
            name: path, certificates: try CertificateFile.read(path), position: position, chain: chain)
    }
}
