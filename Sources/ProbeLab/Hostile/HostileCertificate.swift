import Crypto

/// A certificate of arbitrary bytes: names, extensions and signature.
struct HostileCertificate {
    var subject: [UInt8]
    var issuer: [UInt8]
    var key: HostileKey
    /// The signing key; nil for a signature that only looks like one.
    var signer: HostileKey?
    /// The key for checking the signature, if that is not real.
    var pretended: HostileKey?
    var isAuthority = false
    var isExpired = false
    var extensions: [[UInt8]] = []
    var serial: [UInt8] = [0x40]

    /// A name for the rest: the one the lab's servers have.
    static let goodName = DERBytes.certificateExtension(
        17, DERBytes.value(0x30, DERBytes.value(0x82, Array("good.test".utf8))))

    /// The certificate as DER.
    var der: [UInt8] {
        let signing = signer ?? pretended ?? key
        let dates = isExpired ? ("200101000000Z", "210101000000Z") : ("200101000000Z", "400101000000Z")
        let basic = DERBytes.certificateExtension(
            19, isAuthority ? [0x30, 0x03, 0x01, 0x01, 0xff] : [0x30, 0x00], isCritical: true)
        let body = DERBytes.sequence(
            [0xa0, 0x03, 0x02, 0x01, 0x02], DERBytes.value(0x02, serial), signing.algorithm, issuer,
            DERBytes.sequence(DERBytes.value(0x17, Array(dates.0.utf8)), DERBytes.value(0x17, Array(dates.1.utf8))),
            subject, key.spki, DERBytes.value(0xa3, DERBytes.value(0x30, Array(([basic] + extensions).joined()))))
        let signature = signer?.signer.map { DERBytes.ecdsa(try? $0.signature(for: body).rawRepresentation) }
        return DERBytes.sequence(body, signing.algorithm, DERBytes.bits(signature ?? signing.signature))
    }
}
