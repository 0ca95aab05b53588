import ProbeKit
import ProbeLab

extension TLSScenario {
    /// ClientHellos of the caller's choice: the one on the wire is read by the server and compared with the offer.
    static let offers: [TLSScenario] = [
        offer("version-tls-1.2", "TLS 1.2 alone is offered.", ClientOffer(versions: ["TLS 1.2"]), [.version(.tls12)]),
        offer("version-tls-1.3", "TLS 1.3 alone is offered.", ClientOffer(versions: ["TLS 1.3"]), [.version(.tls13)]),
        offer(
            "versions-from-tls-1.0", "Old versions are offered beside newer ones.",
            ClientOffer(versions: ["TLS 1.0", "TLS 1.1", "TLS 1.2"]), [.version(.tls12)]),
        offer(
            "cipher-suite", "One cipher suite is offered.",
            ClientOffer(versions: ["TLS 1.2"], cipherSuites: ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"]),
            [.cipherSuite("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")]),
        offer(
            "cipher-suites", "Cipher suites are offered in their order.",
            ClientOffer(
                versions: ["TLS 1.2"],
                cipherSuites: [
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                ]), [.version(.tls12)]),
        offer(
            "group", "One group is offered.", ClientOffer(groups: ["secp384r1"]), [.group("secp384r1")]),
        offer(
            "groups", "Groups are offered in their order.", ClientOffer(groups: ["secp384r1", "x25519", "secp256r1"])),
        offer(
            "signature-algorithms", "Signature algorithms are offered in their order.",
            ClientOffer(
                signatureAlgorithms: [
                    "rsa_pss_rsae_sha512", "ecdsa_secp384r1_sha384", "ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256",
                    "rsa_pkcs1_sha256", "rsa_pkcs1_sha1",
                ])),
        offer(
            "alpn", "Application protocols are offered in their order.", ClientOffer(alpn: ["http/1.1", "h2"]),
            [.alpn("h2")]),
        offer("alpn-none", "None is offered where the client has none.", ClientOffer(alpn: []), [.alpn(nil)]).with {
            $0.alpn = ["h2"]
        },
        offer(
            "whole", "All lists of a client are offered together.",
            ClientOffer(
                versions: ["TLS 1.2"], cipherSuites: ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"],
                groups: ["secp256r1", "secp384r1"],
                signatureAlgorithms: ["ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384"], alpn: ["h2"]),
            [
                .version(.tls12), .cipherSuite("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"), .group("secp256r1"),
                .alpn("h2"),
            ]),
        refused(
            "ssl-3", "SSL 3.0, which no stack has, is refused by name.",
            ClientOffer(versions: ["SSL 3.0", "TLS 1.0"]), "SSL 3.0"),
        refused(
            "version-gap", "So is a range of versions with a gap.", ClientOffer(versions: ["TLS 1.0", "TLS 1.2"]),
            "without TLS 1.1"),
        refused(
            "export-suite", "So is a cipher suite of the nineties.",
            ClientOffer(
                versions: ["TLS 1.2"], cipherSuites: ["TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_DES_CBC_SHA"]),
            "TLS_RSA_WITH_DES_CBC_SHA"),
        refused(
            "old-group", "So is a group that is in no registry.", ClientOffer(groups: ["secp256r1", "0x4a4b"]),
            "0x4a4b"),
        refused(
            "unregistered", "So is a name that is in no registry.", ClientOffer(signatureAlgorithms: ["rsa_md4"]),
            "rsa_md4"),
    ]

    private static func offer(
        _ id: String, _ sentence: String, _ offer: ClientOffer, _ facts: [TLSFact] = []
    ) -> TLSScenario {
        TLSScenario(
            "offers/" + id, sentence, source: "RFC 8446 4.1.2",
            .tls(LabTLSRecipe(.good, applicationProtocols: ["h2", "http/1.1"])), .pass
        ).with {
            $0.offer = offer
            $0.needs = [.offer]
            $0.facts = facts
        }
    }

    private static func refused(
        _ id: String, _ sentence: String, _ offer: ClientOffer, _ words: String
    ) -> TLSScenario {
        TLSScenario(
            "offers/refused-" + id, sentence, source: "decided: no-fallback", .tls(LabTLSRecipe(.good)), .unsupported,
            code: "unsupported"
        ).with {
            $0.offer = offer
            $0.needs = [.offer]
            $0.facts = [.says(words, in: "unsupported")]
        }
    }
}
