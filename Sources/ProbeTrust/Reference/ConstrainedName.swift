import ProbeKit
import SwiftASN1
import X509

/// A name, or the subtree of a name constraint, in the form in which the two are compared: split and folded once, as
/// there may be thousands of either.
enum ConstrainedName: Sendable, CustomStringConvertible {
    /// In lower case with a period before it, so that a name is in the subtree it ends with; `above` is it without its
    /// first label. A subtree that was written with a leading period holds the names below it alone.
    case dns(String, above: String?, isBelowOnly: Bool = false)
    /// An address, or address and mask.
    case address([UInt8])
    case directory(ComparableName, shown: DistinguishedName)
    /// The host in lower case; no local part in a subtree means all mailboxes of its hosts.
    case mailbox(local: String?, host: String)
    /// The host in lower case.
    case uri(host: String)
    /// A type that is only identified by its tag (RFC 5280 section 4.2.1.6), or a name that can't be read.
    case other(tag: Int)

    /// Creates a name of a certificate.
    init(_ name: GeneralName) {
        self.init(name, isSubtree: false)
    }

    /// Creates the base of a constraint.
    init(subtree: GeneralName) {
        self.init(subtree, isSubtree: true)
    }

    private init(_ name: GeneralName, isSubtree: Bool) {
        let read: ConstrainedName? =
            switch name {
            case .dnsName(let name): Self.dns(name, isSubtree: isSubtree)
            case .ipAddress(let octets): Self.address(octets.bytes, isSubtree: isSubtree)
            case .directoryName(let name): .directory(ComparableName(name), shown: name)
            case .rfc822Name(let name): Self.mailbox(name, isSubtree: isSubtree)
            case .uniformResourceIdentifier(let text):
                (isSubtree ? Self.hosts(text) : URIHost.read(text)).map { .uri(host: $0) }
            case .otherName, .x400Address, .ediPartyName, .registeredID: nil
            }
        self = read ?? .other(tag: Self.tag(of: name))
    }

    private static func tag(of name: GeneralName) -> Int {
        switch name {
        case .otherName: 0
        case .rfc822Name: 1
        case .dnsName: 2
        case .x400Address: 3
        case .directoryName: 4
        case .ediPartyName: 5
        case .uniformResourceIdentifier: 6
        case .ipAddress: 7
        case .registeredID: 8
        }
    }

    /// The type, by the tag of RFC 5280 section 4.2.1.6.
    var tag: Int {
        switch self {
        case .mailbox: 1
        case .dns: 2
        case .directory: 4
        case .uri: 6
        case .address: 7
        case .other(let tag): tag
        }
    }

    /// The number of bytes that a comparison may have to read.
    var size: Int {
        switch self {
        case .dns(let name, _, _): name.utf8.count
        case .address(let bytes): bytes.count
        case .directory(let name, _): name.size
        case .mailbox(let local, let host): (local?.utf8.count ?? 0) + host.utf8.count
        case .uri(let host): host.utf8.count
        case .other: 0
        }
    }

    /// No DNS name is longer (RFC 1035 section 2.3.4).
    static let maximumHostBytes = 255
    /// 64 of the local part, the sign and a host (RFC 5321 section 4.5.3.1).
    private static let maximumMailboxBytes = 320

    private static func dns(_ name: String, isSubtree: Bool) -> ConstrainedName? {
        guard name.utf8.count <= maximumHostBytes else { return nil }
        if isSubtree {
            guard !name.contains("*") else { return nil }
            if name.isEmpty { return .dns("", above: nil) }
        }
        let isBelowOnly = isSubtree && name.hasPrefix(".")
        let folded = (isBelowOnly ? name.dropFirst() : name[...]).lowercased()
        guard HostText.isDNSName(folded) else { return nil }
        return .dns(
            "." + folded, above: folded.utf8.firstIndex(of: UInt8(ascii: ".")).map { String(folded[$0...]) },
            isBelowOnly: isBelowOnly)
    }

    private static func address(_ bytes: ArraySlice<UInt8>, isSubtree: Bool) -> ConstrainedName? {
        guard (isSubtree ? [8, 32] : [4, 16]).contains(bytes.count) else { return nil }
        guard !isSubtree || isPrefixMask(bytes.suffix(bytes.count / 2)) else { return nil }
        return .address(Array(bytes))
    }

    private static func isPrefixMask(_ mask: ArraySlice<UInt8>) -> Bool {
        // Ones, then at most one byte that is ones and then zeros, then zeros.
        let rest = mask.drop { $0 == 0xff }
        guard let first = rest.first else { return true }
        return (~first & (~first &+ 1)) == 0 && rest.dropFirst().allSatisfy { $0 == 0 }
    }

    private static func mailbox(_ text: String, isSubtree: Bool) -> ConstrainedName? {
        guard text.utf8.count <= maximumMailboxBytes else { return nil }
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return isSubtree ? hosts(text).map { .mailbox(local: nil, host: $0) } : nil
        }
        let (local, host) = (String(text[..<at]), text[text.utf8.index(after: at)...].lowercased())
        guard HostText.isLocalPart(local), HostText.isHostName(host) else { return nil }
        return .mailbox(local: local, host: host)
    }

    /// Returns one host, or with a leading period those below; nil for a text that names none. An empty base means all hosts.
    private static func hosts(_ base: String) -> String? {
        guard base.utf8.count <= maximumHostBytes else { return nil }
        let name = base.hasPrefix(".") ? base.dropFirst() : base[...]
        return base.isEmpty || HostText.isHostName(String(name)) ? base.lowercased() : nil
    }

    /// Returns the names of a certificate that constraints apply to: its subject and its alternative names, and the
    /// mail addresses in the subject if there are no alternative names (RFC 5280 section 4.2.1.10).
    static func names(of certificate: Certificate, alternatives: SubjectAlternativeNames?) -> [ConstrainedName] {
        let subject = certificate.subject
        var names: [ConstrainedName] = subject.isEmpty ? [] : [.directory(ComparableName(subject), shown: subject)]
        if let alternatives {
            names += alternatives.map { ConstrainedName($0) }
        } else {
            names += subject.joined().filter { $0.type == emailAddress }.map {
                String($0.value).map { ConstrainedName(.rfc822Name($0)) } ?? .other(tag: 1)
            }
        }
        return names
    }

    /// Returns the common names of a certificate as DNS names.
    static func commonNames(of parsed: ParsedCertificate) -> [ConstrainedName] {
        parsed.certificate.subject.joined().filter { $0.type == .RDNAttributeType.commonName }.map {
            String($0.value).map { ConstrainedName(.dnsName($0)) } ?? .other(tag: 2)
        }
    }

    private static let emailAddress: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 1]

    var description: String {
        switch self {
        case .dns(let name, _, _): "'\(name.dropFirst())'"
        case .mailbox(let local, let host): "'\(local.map { $0 + "@" } ?? "")\(host)'"
        case .uri(let host): "a URI of '\(host)'"
        case .address(let bytes): IPAddress(bytes: bytes).map { "the address \($0)" } ?? "a malformed address"
        case .directory(_, let shown): "'\(shown)'"
        case .other(let tag): "a name of type \(tag) that can't be read"
        }
    }
}

/// The syntax of the names that constraints compare: text that is not a name is neither inside nor outside of a
/// subtree.
enum HostText {
    /// Returns true if a DNS name is valid (RFC 1034 section 3.5, with the underscore that is used in practice); its
    /// leftmost label may be a wildcard.
    static func isDNSName(_ name: String) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.enumerated().allSatisfy { index, label in
            if index == 0, labels.count > 1, label.elementsEqual("*".utf8) { return true }
            return (1...63).contains(label.count) && label.allSatisfy(isLabelByte)
        }
    }

    /// Returns true if a name is valid, and of one host.
    static func isHostName(_ name: String) -> Bool { isDNSName(name) && !name.contains("*") }

    /// Returns true if the part of a mail address before the `@` is a Dot-string (RFC 5321 section 4.1.2); quoted ones
    /// are not compared.
    static func isLocalPart(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
        }
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

/// The host that constraints on a URI are about.
enum URIHost {
    /// The maximum size of a URI up to the end of its authority; a longer one matches nothing.
    private static let maximumBytes = 2048

    /// Returns the host in lowercase; nil if it has none, or one that no constraint can cover: an address, or what is not written
    /// as a host's name is.
    static func read(_ uri: String) -> String? {
        let bytes = Array(uri.utf8.prefix(maximumBytes))
        guard let scheme = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(scheme + 1)...].starts(with: "//".utf8)
        else {
            return nil
        }
        var authority = bytes[(scheme + 3)...].prefix { !"/?#".utf8.contains($0) }
        guard authority.endIndex < maximumBytes else { return nil }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")) { authority = authority[..<colon] }
        guard authority.count <= ConstrainedName.maximumHostBytes else { return nil }
        let host = String(decoding: authority, as: UTF8.self).lowercased()
        return HostText.isHostName(host) && IPAddress(host) == nil ? host : nil
    }
}
