import ProbeKit
import ProbeLab

extension SignatureScenario {
    /// Signers that are not trusted, not now, or not for this.
    static let chains: [SignatureScenario] = [
        SignatureScenario(
            "chain/nobody", "Where nobody is trusted to sign, nothing is valid.", source: "requirement 92", [85, 92],
            .noTrustedSigner
        ).with { $0.trusted = [] },
        SignatureScenario(
            "chain/no-certificate", "A trusted signer without a certificate does not stand for everybody.",
            source: "decided: upstream-traps (it falls back to the system's store)", [85, 92], .noTrustedSigner
        ).trusting { $0.anchors = [] },
        SignatureScenario(
            "chain/unreadable", "Where no certificate of a trusted signer can be read, nothing is valid.",
            source: "decided: upstream-traps (it falls back to the system's store)", [85, 92], .noTrustedSigner
        ).trusting { $0.anchors = [.junk] },
        SignatureScenario(
            "chain/unreadable-beside", "One that can't be read takes nothing from the others.", source: "ours", [92],
            nil
        ).trusting { $0.anchors = [.junk, .authority(.root)] },
        chain("good", "A chain to a trusted signer's authority is valid.", nil) { _ in }.with {
            $0.trusted[0].anchors = [.authority(.otherRoot), .authority(.root)]
        },
        chain("other-root", "A chain to another authority is refused.", .untrustedSigner) { _ in }.trusting {
            $0.anchors = [.authority(.otherRoot)]
        },
        chain("other-issuer", "A signer of another authority is refused.", .untrustedSigner) {
            $0.certificate = .signer("other-issuer", issuer: .otherIntermediate)
        },
        SignatureScenario(
            "chain/root-in-message", "A root in the message is not trusted for being there.",
            source: "RFC 5280 section 6.1",
            [92], .untrustedSigner
        ) {
            $0.signers[0].certificate = .signer("root-in-message", issuer: .otherIntermediate)
            $0.furtherAuthorities = [.otherRoot]
        },
        chain("self-signed", "Nor is a signing certificate that signed itself.", .untrustedSigner) {
            $0.certificate = .signer("self", issuer: nil)
        },
        SignatureScenario(
            "chain/missing-intermediate", "A chain with a gap is refused.", source: "RFC 5280 section 6.1", [92],
            .untrustedSigner
        ) { $0.hasIntermediates = false },
        SignatureScenario(
            "chain/intermediate-trusted", "A trusted authority need not be a root.",
            source: "ours: whatever is given as an anchor is one", [92], nil
        ) { $0.hasIntermediates = false }.trusting { $0.anchors = [.authority(.intermediate)] },
        chain("signer-trusted", "A trusted signer may be the signing certificate itself.", nil) { _ in }.trusting {
            $0.anchors = [.signer]
        },
        chain("self-signed-trusted", "It may be self-signed.", nil) {
            $0.certificate = .signer("self-trusted", issuer: nil)
        }.trusting { $0.anchors = [.signer] },
        chain("bad-certificate", "A certificate with a broken signature is refused.", .untrustedSigner) {
            $0.certificate.breaksSignature = true
        },
        chain("expired", "An expired certificate is refused.", .expired) {
            $0.certificate.validity = LabCertificateRecipe.days(-90, -1)
        },
        chain("expired-trusted", "So is one that is trusted itself.", .expired) {
            $0.certificate.validity = LabCertificateRecipe.days(-90, -1)
        }.trusting { $0.anchors = [.signer] },
        chain("not-yet-valid", "A certificate that is not valid yet is refused.", .notYetValid) {
            $0.certificate.validity = LabCertificateRecipe.days(1, 90)
        },
        chain("begins-now", "The first second of validity is valid.", nil) {
            $0.certificate.validity = LabCertificateRecipe.days(0, 90)
        },
        chain("before-its-end", "The second before the last is valid.", nil) {
            $0.certificate.validity = -100...1
        },
        chain("ends-now", "The last second of validity is valid.", nil) {
            $0.certificate.validity = LabCertificateRecipe.days(-90, 0)
        }.with {
            $0.deviations = [
                "openssl": Deviation(cause: .stacksDisagree, reason: "OpenSSL takes the second of notAfter as expired.")
            ]
        },
        chain("ended", "The second after it is not.", .expired) { $0.certificate.validity = -100...0 }.with {
            $0.instant = 1
        },
        chain("instant", "What counts is the instant of the question, not the clock of the machine.", .expired) { _ in }
            .with { $0.instant = 61 * 86_400 },
        chain("expired-intermediate", "An expired authority is refused.", .expired) {
            $0.certificate = .signer("expired-intermediate", issuer: .expiredIntermediate)
        },
        chain("issuer-not-authority", "An issuer that is not an authority is refused.", .untrustedSigner) {
            $0.certificate = .signer("not-authority", issuer: .notAnAuthority)
        },
        chain("weak-key", "RSA of 1024 bits is refused.", .weakKey) { $0.certificate.key = LabKeyID(.rsa1024, "leaf") },
        chain("sha1-certificate", "A certificate signed with SHA-1 is refused.", .weakDigest) {
            $0.certificate = .signer("sha1", issuer: .rsaIntermediate) { $0.signature = .rsaSHA1 }
        },
        chain("authority-signs", "An authority signs certificates and nothing else.", .wrongPurpose) {
            $0.certificate.role = .authority(pathLength: nil)
            $0.certificate.keyUsage = [.digitalSignature, .certificateSigning]
        },
        chain("no-signing-usage", "A key usage without signatures is refused.", .wrongPurpose) {
            $0.certificate.keyUsage = .keyEncipherment
            $0.certificate.key = LabKeyID(.rsa2048, "leaf")
        },
        chain("no-signing-usage-trusted", "So is it where the certificate is trusted itself.", .wrongPurpose) {
            $0.certificate.keyUsage = .certificateSigning
        }.trusting { $0.anchors = [.signer] },
        chain("server-certificate", "A server's certificate may sign: the seed's signers have one.", nil) {
            $0.certificate.purposes = [.server, .client]
        },
        chain("ocsp-certificate", "A certificate for OCSP alone may not: others choose what it signs.", .wrongPurpose) {
            $0.certificate.purposes = [.ocspSigning]
        },
        chain("time-stamp-certificate", "Nor may one for time stamps.", .wrongPurpose) {
            $0.certificate.purposes = [.timeStamping]
        },
        chain("no-purpose", "Nor one whose purposes are an empty list.", .wrongPurpose) {
            $0.certificate.purposes = []
        },
        chain("unknown-critical", "An unknown critical extension is refused.", .untrustedSigner) {
            $0.certificate.extensions = [.unknownCritical]
        },
    ]

    private static func chain(
        _ id: String, _ sentence: String, _ expected: SignatureProblem.Cause?,
        change: (inout LabCMSRecipe.Signer) -> Void
    ) -> SignatureScenario {
        SignatureScenario("chain/\(id)", sentence, source: "RFC 5280 section 6.1, requirement 92", [92], expected) {
            change(&$0.signers[0])
        }
    }
}
