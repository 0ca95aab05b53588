package import ProbeKit
import SwiftASN1
import X509

extension CertificateEvidence {
    /// The common name of the subject as it stands, for clients that look pins up by it. Of several it is the last, which
    /// Apple's `SecCertificateCopyCommonName` returns. Nil if there is none, or it is not text.
    package var commonName: String? {
        guard let subject = (try? read.fields.get())?.subject else { return nil }
        let names = subject.flatMap { $0 }.filter { $0.type == .RDNAttributeType.commonName }
        return names.last.flatMap { String($0.value) }
    }
}
