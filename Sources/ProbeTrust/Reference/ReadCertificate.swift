public import ProbeKit
public import ProbePins
import SwiftASN1
import Synchronization

/// A certificate that each of our parsers reads at most once, when somebody first needs it: the walk over its outer
/// frame, the X.509 library for the reference verifier and the policies, and the fields for display.
package final class ReadCertificate: CertificateReading {
    package let der: [UInt8]
    private let readFrame = Once<Result<CertificateFrame, any Error>>()
    private let readFields = Once<Result<CertificateFields, any Error>>()
    private let readParsed = Once<Result<ParsedCertificate, UnreadableCertificate>>()
    private let readAnchor = Once<Result<ParsedCertificate, UnreadableCertificate>>()
    private let readDetails = Once<Result<CertificateDetails, any Error>>()

    /// Creates a certificate that nobody has parsed yet.
    package init(_ der: [UInt8]) {
        self.der = der
    }

    /// The outermost structure.
    var frame: Result<CertificateFrame, any Error> {
        readFrame.value { Result { try CertificateFrame(der) } }
    }

    /// The fields that can be read whatever the algorithms are.
    var fields: Result<CertificateFields, any Error> {
        readFields.value { Result { try CertificateFields(der, frame: frame.get()) } }
    }

    /// The certificate as the reference verifier reads it, or why it refuses to.
    package var parsed: Result<ParsedCertificate, UnreadableCertificate> {
        readParsed.value { ParsedCertificate.parse(self) }
    }

    /// The certificate as an anchor: its own signature and serial number need not be ones that the verifier reads.
    package var anchor: Result<ParsedCertificate, UnreadableCertificate> {
        readAnchor.value {
            if case .success = parsed { return parsed }
            return ParsedCertificate.parse(self, isAnchorAlone: true)
        }
    }

    /// The fields for display, or the parser's error.
    var described: Result<CertificateDetails, any Error> {
        readDetails.value { Result { try CertificateDetails(self) } }
    }

    package var details: CertificateDetails? { try? described.get() }
}

/// Certificates that could be parsed, for the probes to come: few CAs issue for many servers, and many servers share a
/// leaf. What is kept depends on a certificate's bytes alone, and so does the answer whether some key signed it.
package struct KnownCertificates: Sendable {
    private let issuers = BoundedMemory<ByteKey, ReadCertificate>(limit: 256)
    /// Kept apart: servers with a leaf each must not have the issuers forgotten.
    private let leaves = BoundedMemory<ByteKey, ReadCertificate>(limit: 64)
    /// More than all the stores of all days have, which share most of theirs.
    private let anchors = BoundedMemory<ByteKey, ReadCertificate>(limit: 2048)
    /// Real ones are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 8192

    /// Creates a memory that has seen no certificates yet.
    package init() {}

    /// The certificate with these bytes, if it is remembered.
    subscript(_ der: [UInt8]) -> ReadCertificate? {
        let key = ByteKey(der)
        return issuers[key] ?? leaves[key] ?? anchors[key]
    }

    /// Returns an anchor, which is kept: stores of several names and days have it too, and paths end at it.
    func anchor(_ der: [UInt8]) -> ReadCertificate {
        if let known = self[der] { return known }
        let certificate = ReadCertificate(der)
        anchors[ByteKey(der)] = certificate
        return certificate
    }

    /// Keeps a certificate that could be parsed.
    func keep(_ certificate: ReadCertificate, isLeaf: Bool) {
        guard certificate.der.count <= Self.maximumBytes, self[certificate.der] == nil else { return }
        let key = ByteKey(certificate.der)
        if isLeaf { leaves[key] = certificate } else { issuers[key] = certificate }
    }
}

/// The certificates of a probe, so that one is parsed once however many stacks present it.
package final class ReadCertificates: Sendable {
    /// The memory that all probes share.
    let known: KnownCertificates
    private let own = Mutex<[ByteKey: ReadCertificate]>([:])

    /// Creates a memory of one probe.
    package init(known: KnownCertificates = KnownCertificates()) {
        self.known = known
    }

    /// Returns the certificate with these bytes, which may be parsed already.
    package subscript(_ der: [UInt8]) -> ReadCertificate {
        if let known = known[der] { return known }
        let key = ByteKey(der)
        return own.withLock { own in
            if let known = own[key] { return known }
            let certificate = ReadCertificate(der)
            own[key] = certificate
            return certificate
        }
    }
}

extension CertificateEvidence {
    /// The certificate as parsed; one that is only supposed can't be.
    package var read: ReadCertificate { reading as? ReadCertificate ?? ReadCertificate(der) }
}

extension CertificateEvidence {
    /// Reads a certificate and adds the key as the stack decodes it.
    public init(der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester()) {
        self.init(ReadCertificate(der), source: source, stackKey: stackKey, digester: digester)
    }

    /// Creates the same evidence, without the details if reading them would take too long.
    package init(
        _ certificate: ReadCertificate, source: Source, stackKey: KeyReading,
        digester: any Digester = SwiftCryptoDigester(), showsDetails: Bool = true
    ) {
        let der = certificate.der
        let digests = Result { () throws(CertificateFormatError) in
            try CertificateDigests(certificate: der.span, digester: digester)
        }
        let stackSPKI: PinDigest? =
            if case .spki(let bytes) = stackKey { digester.sha256(bytes.span) } else { nil }
        self.init(
            certificate, source: source, digests: digests, stackKey: stackKey, stackSPKI: stackSPKI,
            showsDetails: showsDetails)
    }
}
