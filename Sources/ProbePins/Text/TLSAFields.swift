package import ProbeKit

/// The four fields of a TLSA record as zone files write them (RFC 6698 section 2.2).
package struct TLSAFields: Sendable {
    package let usage: Int
    package let selector: Int
    package let matching: Int
    package let data: [UInt8]

    /// Reads usage, selector, matching type, and hexadecimal digits, perhaps in pieces; or the form of unknown types, which
    /// is `\#`, the number of octets, and their digits (RFC 3597 section 5); nil for anything else.
    package init?(_ fields: some Collection<Substring>) {
        let isGeneric = fields.first.map { $0 == Self.genericMark } ?? false
        guard let (numbers, data) = isGeneric ? Self.generic(fields.dropFirst()) : Self.named(fields),
            numbers.count == 3, !data.isEmpty
        else { return nil }
        (usage, selector, matching, self.data) = (numbers[0], numbers[1], numbers[2], data)
    }

    /// The word that begins the form of unknown types.
    package static let genericMark = "\\#"

    private static func named(_ fields: some Collection<Substring>) -> (numbers: [Int], data: [UInt8])? {
        guard let data = Hex.decode(fields.dropFirst(3).joined()) else { return nil }
        return (fields.prefix(3).compactMap { UInt8(decimal: $0) }.map { Int($0) }, data)
    }

    private static func generic(_ fields: some Collection<Substring>) -> (numbers: [Int], data: [UInt8])? {
        guard let count = fields.first.flatMap({ Int(decimal: $0) }),
            let octets = Hex.decode(fields.dropFirst().joined()), octets.count == count
        else { return nil }
        return (octets.prefix(3).map { Int($0) }, Array(octets.dropFirst(3)))
    }

    /// The positions where the pin may match; nil for an unknown usage.
    package var position: PinPosition? {
        switch usage {
        case 0, 2: .ca
        case 1, 3: .leaf
        default: nil
        }
    }

    /// The kind of the record's data; nil for an unknown selector.
    package var kind: PinKind? {
        switch selector {
        case 0: .cert
        case 1: .spki
        default: nil
        }
    }

    /// Checks that data which is whole (matching type 0) is of a kind.
    package func checkData(is kind: PinKind) throws(CertificateFormatError) {
        _ = kind == .cert ? try CertificateSlices(certificate: data.span) : try CertificateSlices(spki: data.span)
    }
}
