/// A party that may sign: the certificate that its chain ends in, and further constraints (requirement 93).
///
/// A constraint that is nil is not checked. Those on the common name and the authority key identifier are about the signing
/// certificate, those on the subject key identifier and the serial number about the certificate its chain ends in, as in the
/// seed (requirement 94).
public struct TrustedSigner: Hashable, Sendable {
    /// The name for reports.
    public let name: String
    /// The certificates a chain may end in: CAs, or the signing certificate itself. Nothing else is ever trusted for
    /// this signer, in particular not the system's anchors.
    public let anchors: TrustAnchors
    /// The common name the signing certificate has to have.
    public let commonName: CommonNameRule?
    /// The authority key identifier the signing certificate has to have.
    public let authorityKeyIdentifier: KeyIdentifier?
    /// The subject key identifier that the certificate at the chain's end has to have.
    public let subjectKeyIdentifier: KeyIdentifier?
    /// The serial number that the certificate at the chain's end has to have.
    public let rootSerial: SerialNumber?

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - name: the name for reports.
    ///   - certificates: the possible ends of a chain, DER; unreadable ones are skipped.
    ///   - commonName: of the signing certificate.
    ///   - authorityKeyIdentifier: of the signing certificate.
    ///   - subjectKeyIdentifier: of the certificate at the chain's end.
    ///   - rootSerial: of the certificate at the chain's end.
    public init(
        name: String, certificates: [[UInt8]], commonName: CommonNameRule? = nil,
        authorityKeyIdentifier: KeyIdentifier? = nil, subjectKeyIdentifier: KeyIdentifier? = nil,
        rootSerial: SerialNumber? = nil
    ) {
        self.name = name
        anchors = TrustAnchors(name: name, certificates: certificates)
        self.commonName = commonName
        self.authorityKeyIdentifier = authorityKeyIdentifier
        self.subjectKeyIdentifier = subjectKeyIdentifier
        self.rootSerial = rootSerial
    }
}
