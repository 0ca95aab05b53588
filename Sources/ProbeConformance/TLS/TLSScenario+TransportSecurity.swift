import ProbeKit
import ProbeLab

extension TLSScenario {
    /// The rules of Apple's App Transport Security, one by one (requirement 52).
    static let transportSecurity: [TLSScenario] = [
        satisfied("good", "A usual server satisfies it.", LabTLSRecipe(.good)),
        satisfied("tls-1.2", "So does one of TLS 1.2 with ECDHE.", LabTLSRecipe(.good, versions: .tls12 ... .tls12)),
        satisfied("rsa-2048", "And one with an RSA key of 2048 bits.", LabTLSRecipe(.rsa2048)),
        satisfied("pss", "A signature with RSASSA-PSS over SHA-256 is good enough.", LabTLSRecipe(.pssSignature)),
        satisfied(
            "chacha20", "A suite that Apple's code takes and its documentation does not list is noted.",
            LabTLSRecipe(.good, versions: .tls12 ... .tls12, cipherSuites: [0xcca9])
        ).with { $0.facts.append(.finding("ats-cipher-suite")) },
        satisfied(
            "825-days", "825 days are allowed below anchors that were added.", LabTLSRecipe(.lasting825Days)),
        satisfied("399-days-added", "399 days are allowed there too.", LabTLSRecipe(.lasting399Days)),
        broken("826-days", "826 days are not.", LabTLSRecipe(.lasting826Days), "ats-certificate-lifetime"),
        broken(
            "399-days", "Below the system's anchors 399 days are too many.", LabTLSRecipe(.lasting399Days),
            "ats-certificate-lifetime"
        ).with { $0.anchorsAreSystem = true },
        broken(
            "tls-1.1", "TLS 1.1 is too old, although the handshake completes.",
            LabTLSRecipe(.rsa2048, versions: .tls11 ... .tls11), "ats-tls-version"
        ).with {
            $0.minimumTLS = .tls11
            $0.facts.append(.version(.tls11))
        },
        broken(
            "rsa-key-exchange", "RSA key exchange has no forward secrecy.",
            LabTLSRecipe(.rsaKeyExchange, versions: .tls12 ... .tls12, cipherSuites: [0x009c]), "ats-forward-secrecy"
        ).with { $0.facts.append(.cipherSuite("TLS_RSA_WITH_AES_128_GCM_SHA256")) },
        broken(
            "no-purpose", "A leaf has to say that it is for servers.", LabTLSRecipe(.noPurpose), "ats-server-purpose"),
        distrusted("rsa-1024", "A key of 1024 bits is too short.", .rsa1024, .weakKey, "ats-key-size", 0),
        distrusted("rsa-1024-issuer", "An issuer's too.", .weakIntermediate, .weakKey, "ats-key-size", 1),
        distrusted("sha-1", "SHA-1 is too weak.", .sha1Signature, .weakSignature, "ats-signature-digest", 0),
        distrusted(
            "common-name", "A common name is not a server's name.", .commonNameOnly, .hostnameMismatch,
            "ats-alternative-name", nil),
        TLSScenario(
            "ats/unasked", "Nothing of this is demanded unasked.", source: "requirement 52", .lasting826Days, .pass),
    ]

    private static func satisfied(_ id: String, _ sentence: String, _ recipe: LabTLSRecipe) -> TLSScenario {
        TLSScenario(
            "ats/" + id, sentence, source: "requirement 52, App Transport Security", .tls(recipe), .pass
        ).with {
            $0.policies = ["ats"]
            $0.facts = [.finding("ats-satisfied")]
        }
    }

    private static func broken(
        _ id: String, _ sentence: String, _ recipe: LabTLSRecipe, _ code: String
    ) -> TLSScenario {
        TLSScenario(
            "ats/" + id, sentence, source: "requirement 52, App Transport Security", .tls(recipe),
            .tlsPolicyFailed, code: code
        ).with { $0.policies = ["ats"] }
    }

    /// Returns a scenario that the reference verifier refuses too; it alone decides, since the stacks differ on some of
    /// these.
    private static func distrusted(
        _ id: String, _ sentence: String, _ identity: LabIdentityName, _ cause: TrustCause, _ code: String,
        _ depth: Int?
    ) -> TLSScenario {
        TLSScenario(
            "ats/" + id, sentence, source: "requirement 52, App Transport Security", identity, .trustFailed,
            code: cause.rawValue
        ).with {
            $0.policies = ["ats"]
            $0.trust = .reference
            $0.facts = [.finding(code)] + (depth.map { [.says("certificate \($0)", in: code)] } ?? [])
        }
    }
}
