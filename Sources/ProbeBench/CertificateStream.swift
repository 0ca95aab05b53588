import ProbeKit
import ProbePins

/// Many certificates in consecutive memory, all different, like those of a list of servers.
struct CertificateStream: Sendable {
    /// All of them.
    let bytes: [UInt8]
    /// The position of each certificate.
    let certificates: [Range<Int>]
    /// SHA-256 of each one's SubjectPublicKeyInfo.
    let digests: [PinDigest]

    /// Creates `count` certificates from the subjects in turn: each has other last bytes of the key, which the path
    /// does not look into.
    init(_ subjects: [HashSubject], count: Int) throws {
        var bytes: [UInt8] = []
        var certificates: [Range<Int>] = []
        var digests: [PinDigest] = []
        for number in 0..<count {
            let subject = subjects[number % subjects.count]
            var certificate = subject.certificate
            let slices = try CertificateSlices(certificate: certificate.span)
            for byte in 0..<4 {
                certificate[slices.rawKey.upperBound - 1 - byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
            }
            certificates.append(bytes.count..<bytes.count + certificate.count)
            bytes += certificate
            digests.append(.sha256(of: certificate[slices.spki]))
        }
        (self.bytes, self.certificates, self.digests) = (bytes, certificates, digests)
    }
}
