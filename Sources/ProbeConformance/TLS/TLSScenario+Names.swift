import ProbeKit
import ProbeLab

extension TLSScenario {
    /// Names: the certificates that are valid for a target, and the name sent as SNI.
    static let names: [TLSScenario] = [
        named("second-name", "Every name of the certificate counts.", .good, "www.good.test"),
        named("case-and-dot", "Case and a trailing dot of the target do not.", .good, "GOOD.Test."),
        misnamed("wrong-name", "Another name is refused.", .wrongName, "good.test"),
        misnamed("subdomain", "A name does not cover the ones below it.", .good, "a.good.test"),
        misnamed("parent", "Nor the one above.", .good, "test.test"),
        named("wildcard", "A wildcard covers one label.", .wildcard, "a.wild.test"),
        misnamed("wildcard-two-labels", "Not two.", .wildcard, "a.b.wild.test"),
        misnamed("wildcard-no-label", "Nor none.", .wildcard, "wild.test"),
        misnamed("partial-wildcard", "A wildcard within a label covers nothing.", .partialWildcard, "www.wild.test")
            .with { $0.deviations = ["nio": Deviation(.stacksDisagree, "NIOSSL takes a wildcard within a label")] },
        named("ipv4", "An address is matched as an address, and is not sent as SNI.", .address, "127.0.0.1"),
        named("ipv6", "An IPv6 address too.", .address, "::1").with { $0.address = .loopback6 },
        named("ipv6-written-out", "However it is written.", .address, "0:0:0:0:0:0:0:1").with {
            $0.address = .loopback6
        },
        misnamed("other-address", "Another address is refused.", .address, "127.0.0.2"),
        misnamed("address-for-name", "An address is not a name.", .address, "good.test"),
        misnamed("name-for-address", "A name is not an address.", .good, "127.0.0.1"),
        sni("sni-chosen", "The server chooses its certificate by SNI.", "second.test"),
        sni("sni-default", "Another name gets the default one.", "good.test"),
        TLSScenario(
            "names/sni-unknown", "Whether that one fits is another matter.", source: "RFC 6066 3", peer, .trustFailed,
            code: TrustCause.hostnameMismatch.rawValue
        ).with { $0.name = "third.test" },
        TLSScenario(
            "names/sni-pin", "Pins are compared with the certificate that was chosen.", source: "requirement 1", peer,
            .pinMismatch, code: Outcome.pinMismatch.rawValue
        ).with {
            $0.name = "second.test"
            $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), at: .leaf)]
        },
    ]

    private static let peer = LabPeer.tls(LabTLSRecipe(.good, identitiesByName: ["second.test": .second]))

    private static func named(
        _ id: String, _ sentence: String, _ identity: LabIdentityName, _ name: String
    ) -> TLSScenario {
        TLSScenario("names/" + id, sentence, source: "RFC 9525 6", identity, .pass).with { $0.name = name }
    }

    private static func misnamed(
        _ id: String, _ sentence: String, _ identity: LabIdentityName, _ name: String
    ) -> TLSScenario {
        TLSScenario(
            "names/" + id, sentence, source: "RFC 9525 6", identity, .trustFailed,
            code: TrustCause.hostnameMismatch.rawValue
        ).with { $0.name = name }
    }

    private static func sni(_ id: String, _ sentence: String, _ name: String) -> TLSScenario {
        TLSScenario("names/" + id, sentence, source: "RFC 6066 3", peer, .pass).with { $0.name = name }
    }
}
