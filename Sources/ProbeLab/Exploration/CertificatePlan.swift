/// A certificate as the parts that mutations replace; everything is DER unless it says otherwise.
struct CertificatePlan: Sendable {
    struct Extension: Sendable {
        /// The content of the object identifier.
        var oid: [UInt8]
        /// The BOOLEAN as written, nothing for the default.
        var criticality: [UInt8] = []
        var value: [UInt8]

        static let critical: [UInt8] = [0x01, 0x01, 0xff]
    }

    /// The change of a signature after it was made.
    enum SignatureFault: Sendable {
        case none, flipped, empty, zero, truncated, unusedBits, trailingByte, paddedNumber
    }

    /// The whole version field; nothing for version 1.
    var version: [UInt8] = [0xa0, 0x03, 0x02, 0x01, 0x02]
    /// The content of the serial number.
    var serial: [UInt8]
    /// The issuer's name, where it is not the subject of the certificate above.
    var issuer: [UInt8]?
    var notBefore: [UInt8]
    var notAfter: [UInt8]
    var subject: [UInt8]
    var key: PlannedKey
    /// The SubjectPublicKeyInfo, where it is not the key's usual one.
    var encodedKey: [UInt8]?
    /// Unique identifiers.
    var uniqueIdentifiers: [UInt8] = []
    /// Nil leaves out the field.
    var extensions: [Extension]?
    /// The key that signs, where it is not that of the certificate above.
    var signer: PlannedKey?
    var scheme: PlannedKey.Scheme?
    /// The algorithm beside the signature, where it is not the one inside.
    var outerAlgorithm: [UInt8]?
    var signatureFault = SignatureFault.none
    /// Changes of the signed bytes before they are signed.
    var bodyChanges: [@Sendable (inout [UInt8]) -> Void] = []
    /// Changes of the certificate after it was signed.
    var wholeChanges: [@Sendable (inout [UInt8]) -> Void] = []

    /// Returns the certificate, issued by `above`.
    func encode(above: CertificatePlan) throws -> [UInt8] {
        let signer = signer ?? above.key
        let scheme = scheme ?? signer.scheme
        var body = try body(scheme, issuer: issuer ?? above.subject)
        for change in bodyChanges { change(&body) }
        var signature = try signer.sign(body, scheme)
        switch signatureFault {
        case .none, .unusedBits: break
        case .flipped: signature[signature.count - 1] ^= 1
        case .empty: signature = []
        case .zero: signature = DERBytes.sequence([0x02, 0x01, 0x00], [0x02, 0x01, 0x00])
        case .truncated: signature.removeLast()
        case .trailingByte: signature.append(0)
        case .paddedNumber:
            if let padded = Self.padFirstNumber(signature) { signature = padded }
        }
        let bits = DERBytes.value(0x03, [signatureFault == .unusedBits ? 1 : 0] + signature)
        var whole = DERBytes.sequence(body, outerAlgorithm ?? scheme.identifier, bits)
        for change in wholeChanges { change(&whole) }
        return whole
    }

    private func body(_ scheme: PlannedKey.Scheme, issuer: [UInt8]) throws -> [UInt8] {
        let extensions = extensions.map { list in
            DERBytes.value(0xa3, DERBytes.value(0x30, list.flatMap(\.encoded)))
        }
        return DERBytes.sequence(
            version, DERBytes.value(0x02, serial), scheme.identifier, issuer, DERBytes.sequence(notBefore, notAfter),
            subject, try encodedKey ?? key.spki, uniqueIdentifiers, extensions ?? [])
    }

    /// Returns an ECDSA signature whose first number has a zero too many in front.
    private static func padFirstNumber(_ signature: [UInt8]) -> [UInt8]? {
        guard signature.count > 4, signature[0] == 0x30, signature[2] == 0x02 else { return nil }
        let end = 4 + Int(signature[3])
        guard end < signature.count else { return nil }
        return DERBytes.sequence(DERBytes.value(0x02, [0] + signature[4..<end]), Array(signature[end...]))
    }

    // MARK: Extensions

    /// Replaces the extension with the same identifier, or adds one.
    mutating func put(_ new: Extension) {
        var all = extensions ?? []
        if let place = all.firstIndex(where: { $0.oid == new.oid }) { all[place] = new } else { all.append(new) }
        extensions = all
    }

    func firstIndex(of oid: [UInt8]) -> Int? { extensions?.firstIndex { $0.oid == oid } }
}

extension CertificatePlan.Extension {
    var encoded: [UInt8] {
        DERBytes.sequence(DERBytes.value(0x06, oid), criticality, DERBytes.value(0x04, value))
    }

    /// An extension of id-ce, by its last arc.
    static func ce(_ arc: UInt8, _ value: [UInt8], isCritical: Bool = false) -> Self {
        Self(oid: [0x55, 0x1d, arc], criticality: isCritical ? critical : [], value: value)
    }
}
