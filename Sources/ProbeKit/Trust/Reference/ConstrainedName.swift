import SwiftASN1
import X509

/// A name, or the subtree of a name constraint, in the form the two are compared in.
enum ConstrainedName: Sendable, CustomStringConvertible {
    /// In lower case.
    case dns(String)
    /// An address, or address and mask.
    case address([UInt8])
    case directory(ComparableName, shown: String)
    case mailbox(String)
    case uri(String)
    /// A type that can only be told from others, by its tag (RFC 5280 section 4.2.1.6).
    case other(tag: Int)

    init(_ name: GeneralName) {
        self =
            switch name {
            case .dnsName(let name): .dns(name.lowercased())
            case .ipAddress(let octets): .address(Array(octets.bytes))
            case .directoryName(let name): .directory(ComparableName(name), shown: "\(name)")
            case .rfc822Name(let name): .mailbox(name)
            case .uniformResourceIdentifier(let uri): .uri(uri)
            case .otherName: .other(tag: 0)
            case .x400Address: .other(tag: 3)
            case .ediPartyName: .other(tag: 5)
            case .registeredID: .other(tag: 8)
            }
    }

    /// The names of a certificate that constraints are about: its subject and its alternative names, and the mail
    /// addresses in the subject where there are no alternative names (RFC 5280 section 4.2.1.10).
    static func names(of certificate: Certificate, alternatives: SubjectAlternativeNames?) -> [ConstrainedName] {
        let subject = certificate.subject
        var names: [ConstrainedName] = subject.isEmpty ? [] : [.directory(ComparableName(subject), shown: "\(subject)")]
        if let alternatives {
            names += alternatives.map(ConstrainedName.init)
        } else {
            names += subject.joined().filter { $0.type == emailAddress }.map { .mailbox(String($0.value) ?? "") }
        }
        return names
    }

    private static let emailAddress: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 1]

    var description: String {
        switch self {
        case .dns(let name), .mailbox(let name), .uri(let name): "'\(name)'"
        case .address(let bytes): IPAddress(bytes: bytes).map { "the address \($0)" } ?? "a malformed address"
        case .directory(_, let shown): "'\(shown)'"
        case .other(let tag): "a name of type \(tag)"
        }
    }
}
