import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// App Transport Security's and Apple's trust evaluation's requirements for the certificates.
struct ATSCertificateRules {
    /// A certificate that the rules apply to.
    private struct Subject {
        let name: String
        let fields: CertificateFields
    }

    private let leaf: ReadCertificate
    /// The leaf and its issuers without the anchor.
    private let subjects: [Subject]
    private let unreadable: [String]
    private let anchorsAreSystem: Bool

    init(_ connection: ConnectionEvidence, anchorsAreSystem: Bool) {
        self.anchorsAreSystem = anchorsAreSystem
        leaf = connection.certificates.first?.read ?? ReadCertificate([])
        var subjects: [Subject] = []
        var unreadable: [String] = []
        for (depth, index) in (connection.validated ?? connection.presented).enumerated() {
            let certificate = connection.certificates[index]
            let name = "certificate \(depth), \(certificate.name)"
            guard depth == 0 || !connection.anchors.certificates.contains(certificate.der) else { continue }
            guard let fields = try? certificate.read.fields.get() else {
                unreadable.append(name)
                continue
            }
            // A root that is not an anchor: its signature proves nothing, and nothing depends on it.
            if depth > 0, fields.isSelfIssued { continue }
            subjects.append(Subject(name: name, fields: fields))
        }
        self.subjects = subjects
        self.unreadable = unreadable
    }

    var findings: [Finding] {
        var findings = keySizes + signatureDigests
        switch leaf.parsed {
        case .success(let leaf): findings += names(leaf) + purpose(leaf) + lifetime(leaf)
        // A weak key or signature is the reason why it can't be read, and was found above.
        case .failure(let reason):
            if findings.isEmpty { findings += [unread("the leaf can't be read: \(reason.message)")] }
        }
        return findings + unreadable.map { unread("\($0) can't be read") }
    }

    private var keySizes: [Finding] {
        var weak: [String] = []
        var doubtful: [String] = []
        for subject in subjects {
            switch KeyStrength(subject.fields) {
            case .rsa(let bits): if bits < 2048 { weak.append("\(subject.name) has an RSA key of \(bits) bits") }
            case .ellipticCurve(let curve, let bits):
                if bits < 256 { weak.append("\(subject.name) has a key on \(curve)") }
            case .other("Ed25519"): doubtful.append("\(subject.name) has an Ed25519 key")
            case .other(let kind): weak.append("\(subject.name) has a key that is \(kind)")
            }
        }
        let rule = "App Transport Security wants RSA of at least 2048 bits or an elliptic curve of at least 256"
        let fix: Fix = "use an RSA key of 2048 bits or more, or P-256, P-384 or P-521"
        var findings: [Finding] = []
        if !weak.isEmpty {
            findings.append(
                .error(
                    .tlsPolicyFailed, code: "ats-key-size", stage: .trust, "\(weak.joined(separator: "; ")): \(rule)",
                    fix: fix))
        }
        if !doubtful.isEmpty {
            findings.append(
                .warning(
                    "ats-key-size", stage: .trust,
                    "\(doubtful.joined(separator: "; ")): \(rule), and does not say whether that is one", fix: fix))
        }
        return findings
    }

    private var signatureDigests: [Finding] {
        let weak = subjects.compactMap { subject -> String? in
            switch SignatureDigest(subject.fields) {
            case .sized(_, let bits) where bits >= 256: nil
            case .ownScheme: nil
            case .sized(let name, _): "\(subject.name) is signed over \(name)"
            case .unknown(let name): "\(subject.name) is signed with \(name), of which we know no digest"
            }
        }
        guard !weak.isEmpty else { return [] }
        return [
            .error(
                .tlsPolicyFailed, code: "ats-signature-digest", stage: .trust,
                "\(weak.joined(separator: "; ")): App Transport Security wants SHA-256 or better",
                fix: "ask the CA for a certificate that is signed with SHA-256 or better")
        ]
    }

    private func names(_ leaf: ParsedCertificate) -> [Finding] {
        let isNamed =
            leaf.extensions.names?.contains { name in
                switch name {
                case .dnsName, .ipAddress: true
                default: false
                }
            } ?? false
        guard !isNamed else { return [] }
        return [
            .error(
                .tlsPolicyFailed, code: ATSCode.alternativeName, stage: .trust,
                "the leaf names no server in a subject alternative name, and its common name does not count",
                fix: "issue the certificate with the server's DNS name as subject alternative name")
        ]
    }

    private func purpose(_ leaf: ParsedCertificate) -> [Finding] {
        guard ATSLifetime.limit(for: leaf.certificate.notValidBefore, among: ATSLifetime.added) != nil,
            !(leaf.extensions.purposes?.contains(.serverAuth) ?? false)
        else { return [] }
        return [
            .error(
                .tlsPolicyFailed, code: ATSCode.purpose, stage: .trust,
                "the leaf, issued since 2019-07-01, has no extended key usage that names serverAuth",
                fix: "issue the certificate for TLS servers (extended key usage serverAuth)")
        ]
    }

    private func lifetime(_ leaf: ParsedCertificate) -> [Finding] {
        let (begin, end) = (leaf.certificate.notValidBefore, leaf.certificate.notValidAfter)
        let span = "the leaf is valid for \(ATSLifetime.days(notBefore: begin, notAfter: end)) days"
        var findings: [Finding] = []
        if let limit = ATSLifetime.limit(for: begin, among: anchorsAreSystem ? ATSLifetime.system : ATSLifetime.added) {
            let fix: Fix = "get a certificate for at most \(limit.days - 1) days"
            switch limit.judge(notBefore: begin, notAfter: end) {
            case .within: break
            case .tolerated:
                findings.append(
                    .warning(
                        ATSCode.lifetime, stage: .trust,
                        "\(span): by Apple's text \(limit.days) are allowed, its code overlooks what is beyond",
                        fix: fix))
            case .exceeded:
                findings.append(
                    .error(
                        .tlsPolicyFailed, code: ATSCode.lifetime, stage: .trust,
                        "\(span): Apple's clients take \(limit.days)", fix: fix))
            }
        }
        if anchorsAreSystem, let limit = ATSLifetime.limit(for: begin, among: ATSLifetime.schedule),
            limit.judge(notBefore: begin, notAfter: end) != .within
        {
            findings.append(
                .warning(
                    ATSCode.schedule, stage: .trust,
                    "\(span): a public CA may issue for \(limit.days) at that date (CA/Browser Forum SC-081v3)",
                    fix: "automate the renewal, with certificates for at most \(limit.days - 1) days"))
        }
        return findings
    }

    private func unread(_ message: String) -> Finding {
        .error(
            .tlsPolicyFailed, code: "ats-certificate-unreadable", stage: .trust, message,
            fix: "replace the certificate by one that parses")
    }
}

/// The kind and size of a certificate's key.
enum KeyStrength: Equatable {
    case rsa(bits: Int)
    /// On a named curve of a size in bits.
    case ellipticCurve(String, bits: Int)
    /// A strength that we can't measure.
    case other(String)

    init(_ fields: CertificateFields) {
        self.init(key: fields.key, curve: fields.curve, rsaBits: fields.rsaBits)
    }

    /// Creates the strength of a key by its algorithm, the first parameter of that, and the size of an RSA modulus.
    init(key: ASN1ObjectIdentifier, curve: ASN1ObjectIdentifier?, rsaBits: Int?) {
        if let rsaBits {
            self = .rsa(bits: rsaBits)
        } else if key == CertificateFields.ecPublicKey, let curve, let known = Self.curves[curve] {
            self = known
        } else {
            self = Self.names[key].map { .other($0) } ?? .other("of the algorithm \(key)")
        }
    }

    /// RFC 5480 section 2.1.1.1, SEC 2.
    private static let curves: [ASN1ObjectIdentifier: KeyStrength] = [
        [1, 2, 840, 10045, 3, 1, 1]: .ellipticCurve("P-192", bits: 192),
        [1, 3, 132, 0, 33]: .ellipticCurve("P-224", bits: 224),
        [1, 2, 840, 10045, 3, 1, 7]: .ellipticCurve("P-256", bits: 256),
        [1, 3, 132, 0, 34]: .ellipticCurve("P-384", bits: 384),
        [1, 3, 132, 0, 35]: .ellipticCurve("P-521", bits: 521),
        [1, 3, 132, 0, 10]: .ellipticCurve("secp256k1", bits: 256),
    ]

    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 10045, 2, 1]: "on a curve we do not know", [1, 2, 840, 10040, 4, 1]: "DSA",
        [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448", [1, 2, 840, 113549, 1, 1, 1]: "a broken RSA key",
        [1, 2, 840, 113549, 1, 1, 10]: "for RSASSA-PSS alone",
    ]
}
