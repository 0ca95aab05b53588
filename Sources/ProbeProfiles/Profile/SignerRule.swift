/// Who may sign what clients fetch (requirement 93); nil is not checked.
public struct SignerRule: Hashable, Sendable {
    /// A name for reports.
    public var name: String
    /// The certificate the signer's chain ends in: PEM text, or a path relative to the profile's folder.
    public var certificate: String
    /// The common name of the signing certificate, or what it ends with where it begins with a dot.
    public var commonName: String?
    /// The signing certificate's authority key identifier, hexadecimal.
    public var authorityKeyIdentifier: String?
    /// The root's subject key identifier, hexadecimal, with or without its DER header `0414`.
    public var subjectKeyIdentifier: String?
    /// The root's serial number, decimal.
    public var rootSerial: String?

    /// A rule of its parts.
    public init(
        name: String, certificate: String, commonName: String? = nil, authorityKeyIdentifier: String? = nil,
        subjectKeyIdentifier: String? = nil, rootSerial: String? = nil
    ) {
        self.name = name
        self.certificate = certificate
        self.commonName = commonName
        self.authorityKeyIdentifier = authorityKeyIdentifier
        self.subjectKeyIdentifier = subjectKeyIdentifier
        self.rootSerial = rootSerial
    }
}
