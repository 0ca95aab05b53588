import Foundation
import ProbeKit

@testable import ProbeCommand

/// The options that scenes share: what is asked, of whom, and over which way.
extension SweepScene {
    // MARK: The common parts of a scene's runs

    static let target = [
        "--ca", "FOLDER/ca.pem", "--model", "dc", "--model-host", "models.test", "--dns-server", "https://dns.test/q",
        "a.wild.test",
    ]
    static let profile = ["--profile", "FOLDER/app.yaml"]
    static let once = ["--rounds", "1"]
    static let lists = [
        "silent.test", "models.test", "--model", "dc", "--dns-server", "https://dns.test/q",
    ]

    // MARK: Clients

    static let clientExempt = [
        ("--client", "--plugin", because: "one stack sends the offers: the first that can, and the program is the last")
    ]

    /// The options for clients: pins, policies and the way to the server are the app's; roots, offers and habits are the
    /// client's, and DNS is not asked.
    static let ofClients: [SweptOption] =
        [
            .honoured("--pin", "PIN", "OTHERPIN") { run, _ in run.finds("pin-matched") || run.finds("pin-mismatch") },
            .honoured("--pin-chain", "presented") { run, _ in
                run.finds("pin-mismatch") || run.finds("certificate-differs")
            },
            .honoured("--expect-certificate", "FOLDER/ca.pem", "FOLDER/other.pem") { run, _ in
                run.finds("certificate-matched") || run.finds("certificate-differs")
            },
            .honoured("--policy", "sweep-a", "sweep-b") { run, name in run.finds(name) },
            .honoured("--backend", "two") { run, _ in run.requests.handshakes.allSatisfy { $0.backend == "two" } },
            .refused("--ca", "FOLDER/ca.pem"), .refused("--roots", "mozilla@2021-05"),
            .refused("--crl", "FOLDER/empty.crl"), .refused("--trust", "native"), .refused("--emulate", "minvws"),
            .refused("--min-tls", "1.2"), .refused("--alpn", "h2"), .refused("--server-date", "always"),
            .refused("--model", "dc"), .refused("--model-host", "models.test"), .refused("--resolver", "first"),
            .refused("--dns-server", "192.0.2.54"), .refused("--dns-connect", "192.0.2.8:443"),
            .refused("--dns-ca", "FOLDER/other.pem"), .refused("--dns-pin", "PIN"), .refused("--dnssec", "require"),
            .refused("--dnssec-anchor", anchor),
            .refused("--edns-size", "4096"), .refused("--txt-strings", "separate"),
            .unseen("--plugin", "FOLDER/probe-transport-ext", because: "the first stack that can send the offer does"),
            .skipped("--system-settings", because: "it starts the program again; SystemSettingsTests has it"),
            .skipped("--profile", because: "the scene of check with a profile has it, as the next four"),
            .skipped("--environment", because: "as --profile"), .skipped("--signature", because: "as --profile"),
            .skipped("--signers", because: "as --profile"), .skipped("--key", because: "as --profile"),
        ] + connection + expiry + folder

    // MARK: Classes of options

    static let instant = "2031-01-01T00:00:00Z"
    static let moment = (try? RFC3339.parse(instant)) ?? .distantPast
    static let anchor = ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D"
    static let otherAnchor =
        "test. IN DS 1 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D"

    static let policies: [SweptOption] =
        [
            .honoured("--pin", "PIN", "OTHERPIN") { run, _ in run.finds("pin-matched") || run.finds("pin-mismatch") },
            .honoured("--pin-chain", "presented") { run, _ in
                run.finds("pin-mismatch") || run.finds("certificate-differs")
            },
            .honoured("--expect-certificate", "FOLDER/ca.pem", "FOLDER/other.pem") { run, _ in
                run.finds("certificate-matched") || run.finds("certificate-differs")
            },
            .honoured("--policy", "sweep-a", "sweep-b") { run, name in run.finds(name) },
            .honoured("--emulate", "minvws") { run, _ in run.finds("emulation-differs") },
            .honoured("--trust", "native") { run, _ in run.finds("trust-mode") },
        ] + offers

    /// Half a year is more than any certificate of the lab has left; at another instant all of them are over.
    static let expiry: [SweptOption] = [
        .honoured("--expires-within", "180d") { run, _ in
            run.finds("certificate-expires-soon") || run.arguments.contains("--at")
        }
    ]
    static let failingExpiry: [SweptOption] = [
        .honoured("--expires-within", "180d") { run, _ in
            failures.contains(run.code) || run.arguments.contains("--at")
        }
    ]

    static let chains: [SweptOption] = [
        .skipped("--chain", because: "nothing is asked where it is given; OfflineCheckTests has it")
    ]

    static let revocation: [SweptOption] = [
        .honoured("--crl", "FOLDER/empty.crl") { run, _ in run.handshakes { !$0.anchors.revocationLists.isEmpty } }
    ]
    static let refusedLists: [SweptOption] = [.refused("--crl", "FOLDER/empty.crl")]

    static let offers: [SweptOption] = [
        .honoured("--min-tls", "1.0") { run, _ in run.handshakes { $0.versions.lowerBound == .tls10 } },
        .honoured("--alpn", "h2", "spdy/3") { run, name in run.handshakes { $0.alpn.contains(name) } },
        .honoured("--server-date", "always") { run, _ in run.handshakes { $0.exchange != nil } },
    ]

    /// The codes of pins and trust; another instant makes the stacks disagree.
    static let failures: [Int32] = [10, 11, 30]

    /// A comparison shows facts and outcomes; findings are the check's.
    static let compared: [SweptOption] =
        [
            .honoured("--pin", "OTHERPIN") { run, _ in failures.contains(run.code) },
            .unseen("--pin-chain", "presented", because: "the scene of check shows it"),
            .honoured("--expect-certificate", "FOLDER/leaf.pem") { run, _ in failures.contains(run.code) },
            .unseen("--policy", "sweep-a", because: "the scene of check shows it"),
            .honoured("--emulate", "minvws") { run, _ in failures.contains(run.code) },
            .unseen("--trust", "native", because: "the scene of check shows it"),
        ] + offers

    /// A watch prints a status, with the deciding finding.
    static let watched = compared
    /// The program of a sweep ends early, which outranks what policies find.
    static let watchExempt = ["--pin", "--expect-certificate", "--emulate", "--expires-within", "--txt-strings"].map {
        ($0, "--plugin", because: "the program's end decides, and a watch prints what decides")
    }

    static let refusedPolicies: [SweptOption] = [
        .refused("--pin", "PIN"), .refused("--pin-chain", "validated"),
        .refused("--expect-certificate", "FOLDER/ca.pem"), .refused("--policy", "sweep-a"),
        .refused("--emulate", "minvws"), .refused("--trust", "both"), .refused("--min-tls", "1.2"),
        .refused("--alpn", "h2"), .refused("--server-date", "when-it-decides"), .refused("--model", "dc"),
        .refused("--model-host", "models.test"),
    ]

    static let reach: [SweptOption] =
        [
            starting
        ] + identity + proxies + addresses
    static let addresses: [SweptOption] = [
        .flag("--all-addresses") { run in
            let hosts = run.requests.handshakes.map { "\($0.request.endpoint.host)" }
            return run.handshakes { if case .ip = $0.endpoint.host { true } else { false } } && Set(hosts).count > 1
        },
        .honoured("--family", "6") { run, _ in
            run.handshakes { if case .ip(let address) = $0.endpoint.host { address.isIPv6 } else { false } }
        },
    ]
    static let refusedAddresses: [SweptOption] =
        [.refused("--all-addresses", nil), .refused("--family", "4")] + refusedFollowing
    /// The records lead every name to the same server, at other addresses than its own.
    static let following: [SweptOption] = [
        .flag("--follow") { run in
            run.handshakes { SweptRecords.addresses.map(ServerName.ip).contains($0.endpoint.host) }
        }
    ]
    /// No target is a mail domain, and anchors and profiles are refused beside it; DANECommandTests has it.
    static let dane: [SweptOption] = [.refused("--dane", nil)]
    /// Targets have a server over HTTPS to ask about models, which is not asked for records.
    static let refusedFollowing: [SweptOption] = [.refused("--follow", nil)]
    static let followExempt = [
        ("--dns-server", "--follow", because: "clients ask no DNS, but records are followed; FollowCommandTests has it")
    ]
    static let starting = SweptOption.honoured("--starttls", "smtp") { run, _ in
        run.handshakes { $0.startTLS == .smtp }
    }
    static let identity: [SweptOption] = [
        .honoured("--client-cert", "FOLDER/client.pem") { run, _ in run.handshakes { $0.clientIdentity != nil } },
        .unseen(
            "--client-key", "FOLDER/client.pem",
            because: "refused without --client-cert; with it, ClientIdentityCommandTests has it"),
        .unseen(
            "--client-passphrase", "FOLDER/client.pem",
            because: "refused without --client-cert; with it, ClientIdentityCommandTests has it"),
    ]
    static let proxies: [SweptOption] = [
        .honoured("--proxy", "http://p.test", "socks5://p.test:1") { run, url in
            run.handshakes { $0.route.proxy.map { "\($0)".hasPrefix(url) } ?? false }
        },
        .unseen(
            "--proxy-credentials", "FOLDER/client.pem", because: "refused without --proxy; ProxyCommandTests has it"),
        .unseen("--proxy-ca", "FOLDER/other.pem", because: "refused without --proxy; ProxyCommandTests has it"),
    ]
    static let refusedProxies: [SweptOption] = [
        .refused("--proxy", "http://p.test"), .refused("--proxy-credentials", "FOLDER/client.pem"),
        .refused("--proxy-ca", "FOLDER/other.pem"),
    ]
    static let reachExempt =
        [
            ("--starttls", "--plugin", because: "the program's protocol has no words for it, and of all it is left out")
        ] + identityExempt
    static let identityExempt = [
        ("--client-cert", "--plugin", because: "the program's protocol has no words for it, and of all it is left out"),
        ("--proxy", "--plugin", because: "the program's protocol has no words for it, and of all it is left out"),
    ]
    static let refusedReach: [SweptOption] =
        [.refused("--starttls", "smtp")] + identity + proxies + addresses
}
