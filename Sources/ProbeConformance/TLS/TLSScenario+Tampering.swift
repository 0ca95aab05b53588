import ProbeKit
import ProbeLab
import ProbeRun

extension TLSScenario {
    /// A man in the middle who has no keys: nothing passes whose authenticated bytes he changed, and what arrives in pieces is
    /// what was sent.
    static let tampering: [TLSScenario] = [TLSVersion.tls12, .tls13].flatMap { version in
        changedHandshakes(over: version) + unchangedHandshakes(over: version) + changedResponses(over: version)
    }

    /// Tampering that ends the handshake, by kind, record and place.
    private static func changedHandshakes(over version: TLSVersion) -> [TLSScenario] {
        func changed(
            _ id: String, _ sentence: String, _ act: LabTampering.Act, on record: LabTampering.Record,
            code: String = "protocol-error"
        ) -> TLSScenario {
            scenario(
                id, sentence, version, .handshakeFailed, code: code,
                LabTLSRecipe(.good, versions: version...version, tampering: LabTampering(act, on: record))
            ).with {
                // Nothing was proved, so no pin can have been compared.
                $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .nothing), at: .any)]
                if code == "handshake-timeout" { $0.timeout = .seconds(2) }
            }
        }
        let inTLS12 = [
            changed(
                "flip-certificate", "A bit of the last certificate's signature changed.", .flip(bit: -75),
                on: .server(1), code: "alert-received"),
            changed(
                "flip-key-exchange", "A bit of the server's signature over its key share.", .flip(bit: -75),
                on: .server(2)),
            changed(
                "inject-certificate", "The header of a second, giant Certificate before ChangeCipherSpec.",
                .inject(giantCertificate), on: .cipherChange),
            changed("drop-cipher-change", "ChangeCipherSpec left out.", .drop, on: .cipherChange),
            changed("reorder", "ChangeCipherSpec after Finished.", .delay(by: 1), on: .cipherChange),
        ]
        let inTLS13 = [
            changed(
                "flip-hello-end", "A bit near the end of the ServerHello changed.", .flip(bit: -75), on: .serverHello),
            changed("drop-hello", "The ServerHello left out.", .drop, on: .serverHello),
            changed("reorder", "The ServerHello after what it is the key to.", .delay(by: 2), on: .serverHello),
        ]
        return [
            // The random is the third field of a hello (RFC 8446 section 4.1.3), after six bytes.
            changed("flip-client-random", "A bit of the client's random changed.", .flip(bit: 83), on: .clientHello),
            changed("flip-server-random", "A bit of the server's random changed.", .flip(bit: 83), on: .serverHello),
            changed(
                "flip-encrypted", "A bit of the first encrypted record changed.", .flip(bit: 65), on: .firstEncrypted),
            changed("flip-encrypted-end", "A bit of its authentication tag.", .flip(bit: -3), on: .firstEncrypted),
            changed("replay-hello", "The server's first record sent twice.", .replay, on: .serverHello),
            changed(
                "inject-encrypted", "A record that nobody encrypted before the first encrypted one.",
                .inject(forged), on: .firstEncrypted),
            changed(
                "drop-encrypted", "The first encrypted record left out.", .drop, on: .firstEncrypted,
                code: "handshake-timeout"),
        ] + (version == .tls12 ? inTLS12 : inTLS13)
    }

    /// Tampering that changes no authenticated byte.
    private static func unchangedHandshakes(over version: TLSVersion) -> [TLSScenario] {
        let splits: [(String, LabPace)] = [
            ("in-headers", LabPace(first: 3, bytes: 61, pause: .milliseconds(1))),
            ("after-headers", LabPace(first: 5, bytes: 97, pause: .milliseconds(1))),
        ]
        return splits.map { id, pace in
            scenario(
                "split-" + id, "The server's bytes in pieces.", version, .pass,
                LabTLSRecipe(.good, versions: version...version, pace: pace)
            ).with { $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), at: .leaf)] }
        } + [
            scenario(
                "split-response", "The response in pieces.", version, .pass,
                web(version, pace: LabPace(first: 3, bytes: 31, pause: .milliseconds(1)))
            ).with {
                $0.serverDate = .always
                $0.requests = 1
                $0.alpn = ["http/1.1"]
                $0.facts = [.response("http/1.1", 200), .skew(0)]
            }
        ]
    }

    /// Tampering with the response to a HEAD: there is no date then, and the handshake stands.
    private static func changedResponses(over version: TLSVersion) -> [TLSScenario] {
        let acts: [(String, String, LabTampering.Act)] = [
            ("flip-response", "A bit of the response changed.", .flip(bit: 99)),
            ("flip-response-end", "A bit of its authentication tag.", .flip(bit: -3)),
            ("replay-response", "An interim response sent twice.", .replay),
            ("reorder-response", "An interim response after the next.", .delay(by: 1)),
            ("inject-response", "A record that nobody encrypted before the response.", .inject(forged)),
            ("drop-response", "The first record of the response left out, and the last never comes.", .drop),
        ]
        return acts.map { id, sentence, act in
            scenario(
                id, sentence, version, .passWithWarnings,
                web(version, LabTampering(act, on: .firstResponse))
            ).with {
                $0.serverDate = .always
                $0.requests = 1
                $0.alpn = ["http/1.1"]
                $0.facts = [.finding("server-date-unknown")]
            }
        }
    }

    private static func scenario(
        _ id: String, _ sentence: String, _ version: TLSVersion, _ expected: Outcome, code: String? = nil,
        _ recipe: LabTLSRecipe
    ) -> TLSScenario {
        TLSScenario(
            "tampering/\(id)-in-tls-\(version.number)", sentence,
            source: version == .tls12 ? "RFC 5246 6.2.3, 7.4.9" : "RFC 8446 4.4.4, 5.2", .tls(recipe), expected,
            code: code)
    }

    private static func web(
        _ version: TLSVersion, _ tampering: LabTampering? = nil, pace: LabPace? = nil
    ) -> LabTLSRecipe {
        LabTLSRecipe(
            .good, versions: version...version, applicationProtocols: ["http/1.1"], pace: pace, tampering: tampering,
            service: .http(LabHTTPRecipe(interim: 2)))
    }

    /// A record of application data that looks encrypted.
    private static let forged: [UInt8] =
        [23, 3, 3, 0, 48] + (0..<48).map { UInt8(truncatingIfNeeded: 0x5a + $0 * 101) }

    /// The first bytes of a Certificate message that says to be of 2^24 - 1 bytes, in a record of the handshake.
    private static let giantCertificate: [UInt8] = [22, 3, 3, 0, 4, 11, 255, 255, 255]
}
