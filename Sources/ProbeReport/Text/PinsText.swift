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
            lines(certificate, index: index, isIdle: idle.contains(index))
        }
        return ([input] + shown).joined(separator: "\n")
    }

    private static func lines(_ certificate: CertificateEvidence, index: Int, isIdle: Bool) -> [String] {
        let role =
            switch (certificate.source, index) {
            case (.anchor, _): "anchor, not sent by the server"
            case (_, 0): "leaf"
            case _: certificate.details?.isCA == true ? "CA" : "further certificate"
            }
        var lines = ["", "certificate \(index)  \(certificate.name)  (\(role))"]
        if isIdle { lines[1] += " (sent along, on no valid path)" }
        if let details = certificate.details {
            let names = (details.dnsNames + details.ipAddresses).joined(separator: " ")
            if !names.isEmpty { lines.append("  names   \(names)") }
            lines.append(
                "  \(details.key), valid \(RFC3339.format(details.notBefore)) to \(RFC3339.format(details.notAfter))")
        }
        // DANE-EE and DANE-TA of RFC 7671, by the place in the chain.
        let usage = index == 0 && role == "leaf" ? 3 : 2
        switch certificate.digests {
        case .success(let digests):
            lines += [
                "  cert    sha256  \(digests.cert.colonHex)", "                  \(digests.cert.hex)",
                "                  \(digests.cert.base64)",
                "  spki    sha256  \(digests.spki.base64)", "                  \(digests.spki.hex)",
                "                  sha256/\(digests.spki.base64)  (OkHttp)",
                "                  sha256//\(digests.spki.base64)  (curl)",
                "                  pin-sha256=\"\(digests.spki.base64)\"  (RFC 7469)",
                "                  \(usage) 1 1 \(digests.spki.hex)  (TLSA)",
                "  rawkey  sha256  \(digests.rawKey.hex)", "                  \(digests.rawKey.base64)",
            ]
        case .failure(let error):
            lines.append("  not a certificate: \(error)")
        }
        return lines
    }
}
