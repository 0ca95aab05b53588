/// A certificate extension given as bytes, for those without a property in the recipe.
public struct LabExtension: Hashable, Sendable {
    /// The object identifier's arcs.
    public let oid: [UInt]
    /// True if a reader that does not know it has to reject the certificate.
    public let isCritical: Bool
    /// The DER inside the OCTET STRING.
    public let value: [UInt8]

    /// Creates an extension.
    public init(oid: [UInt], isCritical: Bool, value: [UInt8]) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }

    /// An unknown critical extension: its identifier is from the arc of examples (2.999).
    public static let unknownCritical = LabExtension(oid: [2, 999, 1], isCritical: true, value: [0x05, 0x00])

    /// The identifier of the subject key identifier (RFC 5280 section 4.2.1.2), which every certificate has unless it is
    /// left out.
    public static let subjectKeyIdentifier: [UInt] = [2, 5, 29, 14]

    /// The demand for a stapled OCSP response (RFC 7633).
    public static let mustStaple = LabExtension(
        oid: [1, 3, 6, 1, 5, 5, 7, 1, 24], isCritical: false, value: [0x30, 0x03, 0x02, 0x01, 0x05])
    /// Critical policies: the one for domain-validated certificates (CA/B baseline requirements 7.1.6.1).
    public static let criticalPolicies = LabExtension(
        oid: [2, 5, 29, 32], isCritical: true,
        value: [0x30, 0x0a, 0x30, 0x08, 0x06, 0x06, 0x67, 0x81, 0x0c, 0x01, 0x02, 0x01])

    /// Name constraints that end before their content.
    public static let unreadableConstraints = LabExtension(oid: [2, 5, 29, 30], isCritical: true, value: [0x30, 0x01])

    /// Name constraints that permit the addresses 127.0.0.0/8 and do not restrict other names.
    public static let permittingLoopback = LabExtension(
        oid: [2, 5, 29, 30], isCritical: true,
        value: [0x30, 0x0e, 0xa0, 0x0c, 0x30, 0x0a, 0x87, 0x08, 127, 0, 0, 0, 255, 0, 0, 0])
}
