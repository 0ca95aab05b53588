public import ProbeKit

/// The pins of certificates as text.
public enum PinsText: Sendable {
    /// Returns the three hashes of each certificate in the forms that clients are given them in, without a line break at the
    /// end.
    ///
    /// - Parameters:
    ///   - certificates: the chain in its order, or the certificates of a file.
    ///   - input: the server or the file, for the first line.
    ///   - idle: the indices of certificates that were only sent along.
    public static func text(_ certificates: [CertificateEvidence], of input: String, idle: Set<Int>) -> String {
        let shown = certificates.enumerated().flatMap { index, certificate in
            let place = Place(certificate, isLeaf: certificate.der == certificates[0].der)
            let again = index > 0 && place == .leaf ? ", once more" : ""
            return lines(
                certificate, place, header: "certificate \(index)  \(certificate.name)  (\(place.rawValue)\(again))",
                isIdle: idle.contains(index))
        }
        return ([PrintableText.escape(input)] + shown).joined(separator: "\n")
    }

    /// The place of a certificate among those that are shown.
    private enum Place: String {
        case anchor = "anchor, not sent by the server"
        case leaf = "leaf"
        case authority = "CA"
        case further = "further certificate"

        init(_ certificate: CertificateEvidence, isLeaf: Bool) {
            if certificate.source == .anchor {
                self = .anchor
            } else if isLeaf {
                self = .leaf
            } else {
                self = certificate.details?.isCA == true ? .authority : .further
            }
        }

        /// The usage of a TLSA record, DANE-EE or DANE-TA. Nil where none would match: a CA has to be sent, and DANE-EE is about
        /// the first certificate (RFC 7671 sections 5.1 and 5.2).
        var usage: Int? {
            switch self {
            case .anchor, .further: nil
            case .leaf: 3
            case .authority: 2
            }
        }
    }

    private static func lines(
        _ certificate: CertificateEvidence, _ place: Place, header: String, isIdle: Bool
    ) -> [String] {
        var lines = ["", header]
        if isIdle { lines[1] += " (sent along, on no valid path)" }
        if let details = certificate.details {
            let names = (details.dnsNames + details.ipAddresses).joined(separator: " ")
            if !names.isEmpty { lines.append("  names   \(names)") }
            lines.append(
                "  \(details.key), valid \(RFC3339.format(details.notBefore)) to \(RFC3339.format(details.notAfter))")
        }
        switch certificate.digests {
        case .success(let digests):
            lines += [
                "  cert    sha256  \(digests.cert.colonHex)", "                  \(digests.cert.hex)",
                "                  \(digests.cert.base64)",
                "  spki    sha256  \(digests.spki.base64)", "                  \(digests.spki.hex)",
                "                  sha256/\(digests.spki.base64)  (OkHttp)",
                "                  sha256//\(digests.spki.base64)  (curl)",
                "                  pin-sha256=\"\(digests.spki.base64)\"  (RFC 7469)",
            ]
            if let usage = place.usage { lines.append("                  \(usage) 1 1 \(digests.spki.hex)  (TLSA)") }
            lines += [
                "  rawkey  sha256  \(digests.rawKey.hex)", "                  \(digests.rawKey.base64)",
            ]
        case .failure(let error):
            lines.append("  not a certificate: \(error)")
        }
        return lines
    }
}
