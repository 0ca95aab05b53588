import Crypto
package import ProbeKit
import ProbePins
import X509

/// A TLSA record whose digest is one of a certificate that the server sends, and whose numbers state it as another.
package struct MisstatedRecord {
    private let owner: String
    private let record: MailHost.Record
    private let right: MailHost.Record
    /// The certificate's place in the chain, the leaf being 0.
    private let index: Int

    /// Looks for the first of a host's records that is one; nil if none is.
    package init?(of host: MailHost, in chain: [[UInt8]]) {
        guard case .records(let records) = host.answer else { return nil }
        var digests: [[UInt8]: (right: MailHost.Record, index: Int)] = [:]
        // The record of a leaf that is only sent along may be right: the server presents another one first.
        for (index, der) in chain.enumerated() where index == 0 || Self.isAuthority(der) {
            for right in Self.records(of: der, usage: index == 0 ? 3 : 2) where digests[right.data] == nil {
                digests[right.data] = (right, index)
            }
        }
        for record in records {
            guard let found = digests[record.data], found.right != record else { continue }
            (owner, self.record, right, index) = (host.owner, record, found.right, found.index)
            return
        }
        return nil
    }

    /// The record to publish in its place.
    package var fix: String {
        "change '\(owner) TLSA \(record)' to '\(right)': the digest is that of \(right.selector == 0 ? "" : "the key of ")certificate \(index)"
    }

    private static func isAuthority(_ der: [UInt8]) -> Bool {
        guard case .success(let certificate) = ReadCertificate(der).parsed,
            case .isCertificateAuthority? = certificate.extensions.basicConstraints
        else { return false }
        return true
    }

    /// Returns the records of a certificate with a digest: of its key and of all of it.
    private static func records(of der: [UInt8], usage: UInt8) -> [MailHost.Record] {
        let key = (try? CertificateSlices(certificate: der.span)).map { Array(der[$0.spki]) }
        let selections: [(selector: UInt8, selected: [UInt8]?)] = [(1, key), (0, der)]
        return selections.flatMap { selector, selected -> [MailHost.Record] in
            guard let selected else { return [] }
            return [
                MailHost.Record(
                    usage: usage, selector: selector, matching: 1, data: Array(SHA256.hash(data: selected))),
                MailHost.Record(
                    usage: usage, selector: selector, matching: 2, data: Array(SHA512.hash(data: selected))),
            ]
        }
    }
}
