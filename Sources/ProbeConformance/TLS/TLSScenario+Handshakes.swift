import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Handshakes that complete: versions, keys, signatures, suites, groups, extensions.
    static let handshakes: [TLSScenario] = versions + keys + signatures + suites + groupsOfKeys + extensions + paces

    private static func handshake(
        _ id: String, _ sentence: String, source: String, _ recipe: LabTLSRecipe, facts: [TLSFact] = []
    ) -> TLSScenario {
        TLSScenario("handshake/" + id, sentence, source: source, .tls(recipe), .pass).with { $0.facts = facts }
    }

    private static let versions: [TLSScenario] = [
        handshake(
            "newest", "The newest common version is taken.", source: "RFC 8446 4.2.1", LabTLSRecipe(.good),
            facts: [.version(.tls13)]),
        handshake(
            "tls-1.2", "A server without TLS 1.3 is spoken to in TLS 1.2.", source: "RFC 8446 4.2.1",
            LabTLSRecipe(.good, versions: .tls12 ... .tls12), facts: [.version(.tls12)]),
        handshake(
            "tls-1.3", "One without TLS 1.2 in TLS 1.3.", source: "RFC 8446 4.2.1",
            LabTLSRecipe(.good, versions: .tls13 ... .tls13), facts: [.version(.tls13)]),
        handshake(
            "minimum-met", "A demanded TLS 1.3 passes where it is spoken.", source: "requirement 55",
            LabTLSRecipe(.good), facts: [.version(.tls13)]
        ).with { $0.minimumTLS = .tls13 },
        TLSScenario(
            "handshake/minimum-missed", "Where it is not, the policy fails, not the handshake.",
            source: "requirement 55, decided: minimum-version", .tls(LabTLSRecipe(.good, versions: .tls12 ... .tls12)),
            .tlsPolicyFailed, code: "tls-version"
        ).with {
            $0.minimumTLS = .tls13
            $0.facts = [.version(.tls12)]
        },
        TLSScenario(
            "handshake/tls-1.0-only", "A server of TLS 1.0 alone refuses what is offered.", source: "RFC 8996 2",
            .tls(LabTLSRecipe(.rsa2048, versions: .tls10 ... .tls10)), .handshakeFailed, code: "alert-received"
        ).with { $0.facts = [.alert(.protocolVersion)] },
    ]

    private static let keys: [TLSScenario] =
        [
            (LabIdentityName.good, "P-256"), (.p384, "P-384"), (.rsa2048, "RSA-2048"), (.rsa4096, "RSA-4096"),
            (.ed25519, "Ed25519"),
        ].flatMap { identity, name in
            [TLSVersion.tls12, .tls13].map { version in
                handshake(
                    "\(name.lowercased())-in-tls-\(version.number)",
                    "A key of \(name) is taken in \(version.rawValue).",
                    source: "RFC 8446 4.2.3, requirement 7", LabTLSRecipe(identity, versions: version...version),
                    facts: [.version(version)])
            }
        }

    private static let signatures: [TLSScenario] =
        [(UInt16(0x0804), "sha256"), (0x0805, "sha384"), (0x0806, "sha512")].flatMap { scheme, hash in
            [TLSVersion.tls12, .tls13].map { version in
                handshake(
                    "rsa-pss-\(hash)-in-tls-\(version.number)",
                    "A handshake signed with rsa_pss_rsae_\(hash) is taken in \(version.rawValue).",
                    source: "RFC 8446 4.2.3",
                    LabTLSRecipe(
                        .rsa2048, versions: version...version, signatureSchemes: [scheme],
                        cipherSuites: version == .tls12 ? [0xc02f] : nil),
                    facts: [.version(version)])
            }
        } + [
            handshake(
                "rsa-pkcs1-in-tls-1.2", "One signed with rsa_pkcs1_sha256 is taken in TLS 1.2.",
                source: "RFC 5246 7.4.1.4.1",
                LabTLSRecipe(
                    .rsa2048, versions: .tls12 ... .tls12, signatureSchemes: [0x0401], cipherSuites: [0xc02f]),
                facts: [.version(.tls12)])
        ]

    private static let suites: [TLSScenario] = [
        (0xc02b, LabIdentityName.good, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
        (0xc02c, .good, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"),
        (0xcca9, .good, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"),
        (0xc02f, .rsa2048, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
        (0xc030, .rsa2048, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
        (0xcca8, .rsa2048, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
        (0xc013, .rsa2048, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
    ].map { number, identity, name in
        handshake(
            "suite-" + name.dropFirst(4).lowercased().replacing("_", with: "-"), "\(name) is taken, and called so.",
            source: "IANA TLS cipher suites",
            LabTLSRecipe(identity, versions: .tls12 ... .tls12, cipherSuites: [UInt16(number)]),
            facts: [.cipherSuite(name)])
    }

    private static let groupsOfKeys: [TLSScenario] =
        [(UInt16(0x001d), "x25519"), (0x0017, "secp256r1"), (0x0018, "secp384r1")].flatMap { number, name in
            [TLSVersion.tls12, .tls13].map { version in
                handshake(
                    "group-\(name)-in-tls-\(version.number)", "Keys are exchanged over \(name), and it is called so.",
                    source: "IANA TLS supported groups",
                    LabTLSRecipe(.good, versions: version...version, groups: [number]),
                    facts: [.group(name), .version(version)])
            }
        }

    private static let extensions: [TLSScenario] =
        [
            handshake(
                "alpn", "The server's choice among the offered protocols is reported.", source: "RFC 7301 3.2",
                LabTLSRecipe(.good, applicationProtocols: ["h2", "http/1.1"]), facts: [.alpn("h2")]
            ).with { $0.alpn = ["http/1.1", "h2"] },
            handshake(
                "alpn-second", "Also when it is not the most wanted.", source: "RFC 7301 3.2",
                LabTLSRecipe(.good, applicationProtocols: ["http/1.1"]), facts: [.alpn("http/1.1")]
            ).with { $0.alpn = ["h2", "http/1.1"] },
            handshake(
                "alpn-none-common", "Without a common one the server goes on without.", source: "RFC 7301 3.2",
                LabTLSRecipe(.good, applicationProtocols: ["h2"]), facts: [.alpn(nil)]
            ).with { $0.alpn = ["mqtt"] },
            handshake(
                "alpn-not-offered", "None is chosen where none is offered.", source: "RFC 7301 3.2",
                LabTLSRecipe(.good, applicationProtocols: ["h2"]), facts: [.alpn(nil)]),
        ]

    private static let paces: [TLSScenario] = [
        handshake(
            "slow", "A server that dribbles is waited for.", source: "decided: deadlines",
            LabTLSRecipe(.good, pace: LabPace(bytes: 100, pause: .milliseconds(10)))),
        handshake(
            "byte-by-byte", "Even byte by byte.", source: "decided: deadlines",
            LabTLSRecipe(.good, pace: LabPace(bytes: 1, pause: .microseconds(100)))
        ).with { $0.timeout = .seconds(10) },
        TLSScenario(
            "handshake/too-slow", "But not beyond the deadline.", source: "decided: deadlines",
            .tls(LabTLSRecipe(.good, pace: LabPace(bytes: 1, pause: .milliseconds(100)))), .handshakeFailed,
            code: "handshake-timeout"
        ).with { $0.timeout = .seconds(1) },
    ]
}
