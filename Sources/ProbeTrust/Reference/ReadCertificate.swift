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

    /// The fields for display, or the parser's error.
    var described: Result<CertificateDetails, any Error> {
        readDetails.value { Result { try CertificateDetails(self) } }
    }

    package var details: CertificateDetails? { try? described.get() }
}

/// The certificates of a probe, so that one is parsed once however many stacks present it, and an issuer's once in many
/// probes: few CAs issue for many servers.
package final class ReadCertificates: Sendable {
    private let issuers: BoundedMemory<[UInt8], ReadCertificate>
    private let own = Mutex<[[UInt8]: ReadCertificate]>([:])
    /// Real ones are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 8192

    /// Creates a memory of one probe.
    ///
    /// - Parameter issuers: what probes have in common.
    package init(issuers: BoundedMemory<[UInt8], ReadCertificate> = BoundedMemory(limit: 1)) {
        self.issuers = issuers
    }

    /// Returns the certificate with these bytes, which may be parsed already.
    package subscript(_ der: [UInt8]) -> ReadCertificate {
        if let known = issuers[der] { return known }
        return own.withLock { own in
            if let known = own[der] { return known }
            let certificate = ReadCertificate(der)
            own[der] = certificate
            return certificate
        }
    }

    /// Keeps an issuer's certificate that could be parsed for the probes to come.
    func keep(_ issuer: ReadCertificate) {
        if issuer.der.count <= Self.maximumBytes { issuers[issuer.der] = issuer }
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
