/// A certificate extension given as bytes, for those the recipe has no word for.
public struct LabExtension: Hashable, Sendable {
    /// The object identifier's arcs.
    public let oid: [UInt]
    /// Whether a reader that does not know it has to refuse the certificate.
    public let isCritical: Bool
    /// The DER inside the OCTET STRING.
    public let value: [UInt8]

    /// An extension of its parts.
    public init(oid: [UInt], isCritical: Bool, value: [UInt8]) {
        self.oid = oid
        self.isCritical = isCritical
        self.value = value
    }

    /// A critical extension nobody knows: its identifier is from the arc of examples (2.999).
    public static let unknownCritical = LabExtension(oid: [2, 999, 1], isCritical: true, value: [0x05, 0x00])
}
