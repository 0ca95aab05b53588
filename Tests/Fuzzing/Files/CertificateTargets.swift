import FuzzBytes
import ProbeKit
import ProbePins
import ProbeTrust
import SwiftASN1
import X509

extension FuzzTarget {
    /// A certificate with its extensions: the X.509 parser and the hash path find the same key.
    static let certificate = FuzzTarget("certificate", upTo: 4096) { bytes in
        let slices = try? CertificateSlices(certificate: bytes.span)
        _ = try? CertificateDetails(certificate: bytes)
        guard case .success(let parsed) = ParsedCertificate.parse(bytes) else { return }
        guard let slices else { throw FuzzFinding("the verifier reads a certificate that has no key to pin") }
        let frame = try CertificateFrame(bytes)
        try hold(
            frame.body.indices.contains(frame.algorithmIndex + 4)
                && frame.body[frame.algorithmIndex + 4].encodedBytes.elementsEqual(bytes[slices.spki]),
            "the verifier reads another key than the one that is pinned")
        try hold(
            Array(parsed.certificate.publicKey.subjectPublicKeyInfoBytes) == Array(bytes[slices.rawKey]),
            "the library reads another key than the one that is pinned")
        try hold((try? CertificateDetails(certificate: bytes)) != nil, "a certificate without details")
    }

    /// A file of certificates, keys or revocation lists, as text: what is written is read back.
    static let pemText = FuzzTarget("pem-text", upTo: 4096) { bytes in
        _ = try? RevocationListFile.lists(in: bytes, from: "the input")
        if let keys = try? PublicKeyFile.keys(in: bytes, from: "the input") {
            let written = Array(keys.map(PublicKeyFile.pem).joined().utf8)
            try hold((try? PublicKeyFile.keys(in: written, from: "")) == keys, "the keys are not read back")
        }
        guard let certificates = try? CertificateFile.read(bytes, from: "the input") else { return }
        try hold(!certificates.isEmpty, "a file of no certificate is accepted")
        let written = Array(certificates.map(CertificateFile.pem).joined().utf8)
        try hold((try? CertificateFile.read(written, from: "")) == certificates, "the certificates are not read back")
    }

    /// A stapled OCSP response.
    static let stapledResponse = FuzzTarget("ocsp-response", upTo: 4096) { bytes in
        guard (try? OCSPResponse(der: bytes)) != nil else { return }
        try hold((try? OCSPResponse(der: bytes + [0])) == nil, "a response with a byte after it is read")
    }

    /// A certificate revocation list.
    static let revocationList = FuzzTarget("revocation-list", upTo: 4096) { bytes in
        guard let list = try? RevocationList(bytes) else { return }
        // Of every entry the date is read when it is asked for.
        for serial in list.serials { try hold(list.revocation(of: serial) != nil, "an entry is not found") }
        let named = try? RevocationListFile.lists(in: bytes, from: "the input")
        try hold(named == [bytes], "a list is not read from a file")
    }
}
