import ProbePlatform

/// The DNSSEC validation that an answer needs before it counts.
public enum DNSSECPolicy: String, Sendable, Codable, CaseIterable {
    /// Signatures are ignored.
    case off
    /// A bogus answer does not count, an unsigned one does.
    case prefer
    /// Only a validated answer counts; the shipped app of requirement 17 asks for this.
    case require

    /// The place in the order of strictness.
    public var rank: Int {
        switch self {
        case .off: 0
        case .prefer: 1
        case .require: 2
        }
    }
}

/// The result of local DNSSEC validation of a reply (RFC 4033 section 5). A remote AD bit has no effect here.
public enum DNSSECState: Hashable, Sendable {
    /// A chain of signatures leads from a trust anchor to the reply.
    case secure
    /// No trust anchor covers the name, or a signed zone proves that this one is not signed.
    case insecure
    /// Signatures should be there and are missing, wrong or out of date; the validator's own words.
    case bogus(String)

    /// The stable name, in kebab case.
    public var name: String {
        switch self {
        case .secure: "secure"
        case .insecure: "insecure"
        case .bogus: "bogus"
        }
    }
}

/// A DNSSEC trust anchor: a DS or DNSKEY record in presentation form (RFC 4034 sections 2.2 and 5.3).
public struct DNSAnchor: Hashable, Sendable, CustomStringConvertible {
    /// The record on one line: owner, class, type and data.
    public let description: String

    /// Reads a record in the form of zone files and `dig`; a TTL and the class IN may precede the type.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        let fields = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let owner = fields.first else { throw Self.error(text) }
        if owner != "." { _ = try DNSName(owner) }
        let rest = fields.dropFirst().drop { $0.uppercased() == "IN" || UInt32($0) != nil }
        guard let type = rest.first?.uppercased(), Self.isData(Array(rest.dropFirst()), of: type) else {
            throw Self.error(text)
        }
        description = ([owner.hasSuffix(".") ? owner : owner + ".", "IN", type] + rest.dropFirst()).joined(
            separator: " ")
    }

    /// Creates the DS record of a zone's key.
    ///
    /// - Parameters:
    ///   - zone: the zone's apex.
    ///   - keyTag: the key's tag (RFC 4034 appendix B).
    ///   - algorithm: the key's algorithm number.
    ///   - digestType: the digest's algorithm; 2 is SHA-256.
    ///   - digest: the digest of the owner and the key's data.
    public init(zone: DNSName, keyTag: UInt16, algorithm: UInt8, digestType: UInt8, digest: [UInt8]) {
        let owner = zone.isRoot ? "." : "\(zone)."
        description = "\(owner) IN DS \(keyTag) \(algorithm) \(digestType) \(Hex.encode(digest))"
    }

    /// Returns the anchors of a file with one record a line, as `/usr/share/dns/root.key` has them.
    ///
    /// - Throws: ``InputError`` naming the file.
    public static func file(_ path: String) throws(InputError) -> [DNSAnchor] {
        let text = try InputFile.text(of: path, limit: 1 << 20, kind: "file with DS or DNSKEY records")
        return try records(in: Array(text.utf8), from: path)
    }

    /// Returns the anchors in the bytes of such a file.
    ///
    /// - Parameter path: the source's name in errors.
    public static func records(in bytes: [UInt8], from path: String) throws(InputError) -> [DNSAnchor] {
        var anchors: [DNSAnchor] = []
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let record = line.prefix { $0 != ";" }
            guard record.contains(where: { !$0.isWhitespace }) else { continue }
            do throws(InputError) {
                anchors.append(try DNSAnchor(String(record)))
            } catch {
                throw InputError("\(path): \(error.message)", remedy: error.remedy, source: .file)
            }
        }
        guard !anchors.isEmpty else {
            throw InputError("'\(path)' holds no anchor", remedy: "put a DS or DNSKEY record on a line", source: .file)
        }
        return anchors
    }

    /// Returns the root zone's anchors as the system has them, those of Debian's `dns-root-data`; none if it has none.
    ///
    /// - Throws: ``InputError`` if they can't be read.
    public static func system() throws(InputError) -> [DNSAnchor] {
        let path = "/usr/share/dns/root.key"
        return FileManager.default.fileExists(atPath: path) ? try file(path) : []
    }

    /// Returns true for three numbers, then hex digits (DS) or base64 (DNSKEY), in any number of pieces.
    private static func isData(_ fields: [String], of type: String) -> Bool {
        guard fields.count > 3, UInt16(fields[0]) != nil, UInt8(fields[1]) != nil, UInt8(fields[2]) != nil else {
            return false
        }
        let text = fields[3...].joined()
        switch type {
        case "DS":
            // SHA-1, SHA-256 and SHA-384 (RFC 3658, RFC 4509, RFC 6605).
            let length = [1: 20, 2: 32, 4: 48][UInt8(fields[2]) ?? 0]
            return text.utf8.count.isMultiple(of: 2) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
                && (length == nil || text.utf8.count == 2 * (length ?? 0))
        case "DNSKEY": return Data(base64Encoded: text) != nil
        default: return false
        }
    }

    private static func error(_ text: String) -> InputError {
        InputError(
            "'\(InputError.quoting(text, limit: 80))' is not a trust anchor",
            remedy: "write a record like 'example.com. IN DS TAG ALGORITHM DIGEST-TYPE HEX', or its DNSKEY")
    }
}
