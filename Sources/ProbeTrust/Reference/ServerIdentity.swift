import ProbeKit
import SwiftASN1
import X509

/// Matching of a certificate with a server after RFC 9525: subject alternative names alone, never the common name; a
/// wildcard stands for exactly one whole leftmost label.
enum ServerIdentity {
    /// Returns true if one of a certificate's names is the server's.
    static func matches(
        _ names: SubjectAlternativeNames?, name: ServerName, _ habits: VerifierHabits = VerifierHabits()
    ) -> Bool {
        names?.contains { candidate in
            switch (candidate, name) {
            case (.dnsName(let pattern), .dns(let host)): dnsName(pattern, matches: host)
            case (.ipAddress(let octets), .ip(let address)):
                habits.acceptsAddresses && Array(octets.bytes) == address.bytes
            default: false
            }
        } ?? false
    }

    /// Returns true if a leaf without alternative names has the server's as its only common name, as clients accepted it before
    /// RFC 6125. Some take one beside an address or a mailbox too, and the first or the last of several; all of them take this.
    static func matches(commonNameOf leaf: ParsedCertificate, name: ServerName) -> Bool {
        guard case .dns(let host) = name, leaf.extensionError == nil, leaf.extensions.names == nil else { return false }
        let names = leaf.certificate.subject.flatMap(\.self).filter { $0.type == .RDNAttributeType.commonName }
        return names.count == 1 && names.allSatisfy { String($0.value).map { dnsName($0, matches: host) } ?? false }
    }

    /// Returns the reason why a certificate with these names does not match `name`.
    static func mismatch(of names: SubjectAlternativeNames?, name: ServerName) -> String {
        guard let names, !names.isEmpty else {
            return "the certificate names no server: it has no readable subject alternative name"
        }
        let shown = names.prefix(5).map(describe).joined(separator: ", ")
        return "the certificate is for \(shown)\(names.count > 5 ? ", …" : ""), not for \(name)"
    }

    /// Returns true if a presented DNS name covers a host, which is lowercase without a trailing dot (RFC 9525 section
    /// 6.3).
    static func dnsName(_ pattern: String, matches host: String) -> Bool {
        // A wildcard is never longer than the name it matches, and so never stands for an empty label.
        guard pattern.utf8.count <= host.utf8.count else { return false }
        // Lowercasing makes ASCII of some letters that are not.
        guard pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let pattern = pattern.lowercased()
        guard pattern.hasPrefix("*.") else { return pattern == host && !pattern.contains("*") }
        let parent = pattern.dropFirst(2)
        // A wildcard over a top-level domain is never a server's name.
        guard parent.contains("."), !parent.contains("*"), let dot = host.firstIndex(of: ".") else { return false }
        return host[host.index(after: dot)...] == parent
    }

    private static func describe(_ name: GeneralName) -> String {
        switch name {
        case .dnsName(let name): "'\(name)'"
        case .ipAddress(let octets): IPAddress(bytes: Array(octets.bytes))?.description ?? "a malformed address"
        case .rfc822Name(let mailbox): "the mailbox '\(mailbox)'"
        case .uniformResourceIdentifier(let url): "the URL '\(url)'"
        default: "a name of a kind that no server has"
        }
    }

    /// Returns what makes a certificate with these names one for a server; nil if it is for another name.
    static func fix(of names: SubjectAlternativeNames?, name: ServerName) -> String? {
        switch name {
        case .dns(let host) where names?.isEmpty ?? true:
            return "issue the certificate with the subject alternative name DNS:\(host)"
        case .ip(let address):
            let isWritten = names?.contains { if case .dnsName("\(address)") = $0 { true } else { false } } ?? false
            guard names?.isEmpty ?? true || isWritten else { return nil }
            return
                "issue the certificate with the subject alternative name IP:\(address), which is another kind than DNS"
        case .dns: return nil
        }
    }
}
