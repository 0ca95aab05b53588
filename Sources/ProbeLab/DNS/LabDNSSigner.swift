import Crypto
public import ProbeKit
public import ProbePlatform

/// Signs a zone's records with a fresh key, ECDSA on P-256 with SHA-256 (RFC 4034, RFC 6605).
public struct LabDNSSigner: Sendable {
    /// The zone's apex.
    public let zone: DNSName
    private let key = P256.Signing.PrivateKey()
    private let validity: ClosedRange<Date>

    private static let algorithm: UInt8 = 13
    private static let ttl: UInt32 = 3600

    /// Creates a signer of a zone whose signatures are valid in a period.
    public init(zone: DNSName, validity: ClosedRange<Date>) {
        self.zone = zone
        self.validity = validity
    }

    /// The zone's one key, which signs itself and everything else.
    public var dnskey: LabDNSRecord {
        // Zone key and secure entry point; protocol 3.
        let head = word(0x0101) + [3, Self.algorithm]
        return LabDNSRecord(owner: zone, type: 48, ttl: Self.ttl, data: head + Array(key.publicKey.rawRepresentation))
    }

    /// The anchor for the zone: a DS record with a SHA-256 digest of the key.
    public var anchor: DNSAnchor {
        let digest = SHA256.hash(data: zone.wireBytes + dnskey.data)
        return DNSAnchor(
            zone: zone, keyTag: keyTag, algorithm: Self.algorithm, digestType: 2, digest: Array(digest))
    }

    /// Returns records of one owner and type, and the signature over them.
    ///
    /// - Parameters:
    ///   - records: the records; those without an owner belong to `owner`.
    ///   - owner: the owner.
    ///   - wildcard: the wildcard they come from, if any.
    public func signed(_ records: [LabDNSRecord], owner: DNSName, wildcard: DNSName? = nil) -> [LabDNSRecord] {
        guard let type = records.first?.type else { return [] }
        let source = wildcard ?? owner
        let labels = source.labels.filter { $0 != [UInt8(ascii: "*")] }.count
        let head =
            word(type) + [Self.algorithm, UInt8(labels)] + doubleWord(Self.ttl) + doubleWord(validity.upperBound)
            + doubleWord(validity.lowerBound) + word(keyTag) + zone.wireBytes
        // RFC 4034 section 6.3: in the order of their data.
        let body = records.sorted { $0.data.lexicographicallyPrecedes($1.data) }.flatMap { record in
            source.wireBytes + word(type) + word(1) + doubleWord(Self.ttl) + word(UInt16(record.data.count))
                + record.data
        }
        let signature = LabDNSRecord(owner: owner, type: 46, ttl: Self.ttl, data: head + signature(of: head + body))
        return records.map { record in record.with { $0.owner = owner } } + [signature]
    }

    /// Returns the signed statement that there is no name between two, and of the types of the first one (RFC 4034
    /// section 4).
    ///
    /// - Parameter types: the types below 256, which are those of the first window; RRSIG and NSEC are among them anyway.
    public func denial(from owner: DNSName, to next: DNSName, types: [UInt16]) -> [LabDNSRecord] {
        var bits = [UInt8](repeating: 0, count: 32)
        for type in types + [46, 47] { bits[Int(type / 8)] |= 0x80 >> (type % 8) }
        // RFC 4034 section 4.1.2: without the zero bytes at the end.
        while bits.last == 0 { bits.removeLast() }
        let record = LabDNSRecord(type: 47, ttl: Self.ttl, data: next.wireBytes + [0, UInt8(bits.count)] + bits)
        return signed([record], owner: owner)
    }

    /// RFC 4034 appendix B.
    private var keyTag: UInt16 {
        let sum = dnskey.data.enumerated().reduce(UInt32(0)) {
            $0 + ($1.offset % 2 == 0 ? UInt32($1.element) << 8 : UInt32($1.element))
        }
        return UInt16(truncatingIfNeeded: sum + sum >> 16)
    }

    private func signature(of bytes: [UInt8]) -> [UInt8] {
        guard let signature = try? key.signature(for: bytes) else {
            preconditionFailure("a P-256 key signs whatever it is given")
        }
        return Array(signature.rawRepresentation)
    }

    private func doubleWord(_ value: UInt32) -> [UInt8] { word(UInt16(value >> 16)) + word(UInt16(value & 0xffff)) }

    /// Seconds since 1970.
    private func doubleWord(_ date: Date) -> [UInt8] {
        doubleWord(UInt32(truncatingIfNeeded: Int64(date.timeIntervalSince1970)))
    }
}
