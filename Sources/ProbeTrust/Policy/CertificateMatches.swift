public import ProbeKit
public import ProbePins
public import ProbePlatform

/// Requires that the chain has the expected certificates: hash, serial number, subject key identifier and public key
/// are all equal (requirements 88 and 89).
public struct CertificateMatches: Policy {
    private let expectations: [CertificateExpectation]
    private let trust: TrustMode
    private let takers: PathTakers?

    /// Creates a policy whose expectations must all be met, on the path of every verifier whose trust decision counts.
    ///
    /// - Parameter takers: names those who take a path that does not have the certificates.
    public init(_ expectations: [CertificateExpectation], trust: TrustMode = .both, takers: PathTakers? = nil) {
        self.expectations = expectations
        self.trust = trust
        self.takers = takers
    }

    /// Returns for each expectation a note that names the certificate, or one warning or error; then findings about other
    /// paths.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, !connection.certificates.isEmpty else { return [] }
        var findings: [Finding] = []
        var elsewhere: [Finding] = []
        for expectation in expectations {
            let search = CertificateSearch(expectation, in: connection, trust: trust)
            let finding = search.finding
            findings.append(finding)
            if finding.severity != .error, let dependence = search.dependence(takers) { elsewhere.append(dependence) }
        }
        return findings + elsewhere
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
