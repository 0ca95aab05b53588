import ProbeKit
import ProbeLab

extension TLSScenario {
    /// First flights of TLS 1.2 that no library sends, within handshakes that can be completed: what a server or a man in the
    /// middle gets away with, stack by stack.
    static let flights: [TLSScenario] = downgrades + signatureHashes + helloExtensions + warnings

    private static let downgrades: [TLSScenario] = [
        flight(
            "regular", "A regular first flight of TLS 1.2 is taken.", source: "RFC 5246 7.3", .regular
        ).with(.pass, code: nil).with {
            $0.facts = [.version(.tls12), .cipherSuite("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")]
        },
        flight(
            "regular-by-rsa", "A regular first flight of TLS 1.2 that is signed by an RSA key is taken.",
            source: "RFC 5246 7.3", .regular, .rsa2048
        ).with(.pass, code: nil).with {
            $0.facts = [.version(.tls12), .cipherSuite("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")]
        },
        flight(
            "downgrade", "A server whose random shows that TLS 1.3 was taken out of the offer is refused.",
            source: "RFC 8446 4.1.3", .downgraded),
        flight(
            "downgrade-by-choice", "A client that offers TLS 1.2 alone takes a server whose random shows a downgrade.",
            source: "RFC 8446 4.1.3", .downgraded
        ).with(.pass, code: nil).with {
            $0.offer = ClientOffer(versions: ["TLS 1.2"])
            $0.needs = [.offer]
        },
    ]

    private static let signatureHashes: [TLSScenario] = [
        flight(
            "signed-with-md5", "A key share signed with MD5 is refused.", source: "RFC 9155 4", .signedWithMD5),
        flight(
            "signed-with-sha-1", "A key share signed with SHA-1 by an ECDSA key is refused.", source: "RFC 9155 4",
            .signedWithSHA1, passing: ["gnutls": "it offers SHA-1 for signatures, and takes it"]),
        flight(
            "signed-with-sha-1-by-rsa", "A key share signed with SHA-1 by an RSA key is refused.",
            source: "RFC 9155 4", .signedWithSHA1, .rsa2048,
            passing: [
                "gnutls": "it offers SHA-1 for signatures, and takes it",
                "nio": "it offers rsa_pkcs1_sha1 as the last of its signature algorithms, and takes it",
            ]),
    ]

    private static let helloExtensions: [TLSScenario] = [
        flight(
            "no-secure-renegotiation", "A server without secure renegotiation is refused.", source: "RFC 9325 3.5",
            .withoutSecureRenegotiation,
            passing: [
                "gnutls": "it demands secure renegotiation only of a server that renegotiates",
                "nio": "it demands no secure renegotiation, since it never renegotiates",
            ]),
        flight(
            "repeated-server-name", "An acknowledgement of SNI that is not empty is refused.", source: "RFC 6066 3",
            .repeatingServerName, passing: ["gnutls": "it does not look at the content of the acknowledgement"]),
        flight(
            "unknown-extension", "An extension that the client does not know is refused.", source: "RFC 5246 7.4.1.4",
            .withUnknownExtension,
            passing: [
                "openssl": "it ignores extensions that it does not know",
                "curl": "OpenSSL below it ignores extensions that it does not know",
                "gnutls": "it ignores extensions that it does not know",
            ]),
        flight(
            "unsolicited-extension", "max_fragment_length is refused where the client did not send it.",
            source: "RFC 5246 7.4.1.4", .withUnsolicitedExtension),
        flight(
            "repeated-extension", "An extension that is there twice is refused.", source: "RFC 5246 7.4.1.4",
            .withRepeatedExtension, passing: ["gnutls": "it reads an extension as often as it is there"]),
    ]

    /// Alerts before the ServerHello, as some servers send them and everybody on the way can.
    private static let warnings: [TLSScenario] = [
        warning(
            90, "user-canceled", "A warning user_canceled does not end a handshake of TLS 1.2.",
            source: "RFC 5246 7.2.2", .tls12),
        warning(
            90, "user-canceled", "A warning user_canceled does not end a handshake of TLS 1.3.", source: "RFC 8446 6.1",
            .tls13),
        warning(
            112, "unrecognized-name",
            "A warning that the name was not recognized does not end a handshake of TLS 1.2.", source: "RFC 6066 3",
            .tls12),
    ]

    private static func flight(
        _ id: String, _ sentence: String, source: String, _ flight: LabFlight, _ identity: LabIdentityName = .good,
        passing: [String: String] = [:]
    ) -> TLSScenario {
        TLSScenario(
            "flights/" + id, sentence, source: source,
            .tls(LabTLSRecipe(identity, versions: .tls12 ... .tls12, flight: flight)), .handshakeFailed,
            code: "protocol-error"
        ).with { $0.deviations = passing.mapValues { Deviation(.pass, $0) } }
    }

    private static func warning(
        _ alert: UInt8, _ name: String, _ sentence: String, source: String, _ version: TLSVersion
    ) -> TLSScenario {
        TLSScenario(
            "flights/\(name)-in-tls-\(version.number)", sentence, source: source,
            .tls(
                LabTLSRecipe(
                    .good, versions: version...version,
                    tampering: LabTampering(.inject([21, 3, 3, 0, 2, 1, alert]), on: .serverHello))), .pass
        ).with { $0.facts = [.version(version)] }
    }
}
