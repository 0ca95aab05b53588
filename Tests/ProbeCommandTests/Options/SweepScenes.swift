import Foundation
import ProbeKit

@testable import ProbeCommand

/// The scenes of the sweep. A new option needs a line in each scene of its command, else the sweep fails.
extension SweepScene {
    static let all = [
        SweepScene(
            "check, targets", ["check"], target, policies, expiry, chains, connection, reach, refusedFollowing,
            revocation,
            questions, backends, cache, formats, log, warnings, retries, [.refused("--client", "android-7.0")],
            .base("--ca"), otherAnchors, withoutProfile, exempt: cacheExempt + reachExempt),
        SweepScene(
            "check, a client", ["check"], ["--client", "FOLDER/clients.yaml", "a.wild.test"], ofClients,
            .base("--client"), reach, following, chains, formats, log, warnings,
            [
                .refused("--retry", "1"),
                .refused("--cache", "FOLDER/NEW.db"), .refused("--no-cache", nil), .refused("--cache-lifetime", "60"),
            ], exempt: followExempt),
        SweepScene(
            "fleet", ["fleet"], ["--fleet", "FOLDER/fleet.yaml", "a.wild.test"], ofClients, .base("--fleet"), reach,
            following, chains, log, [.honoured("--format", "junit") { run, _ in run.output.hasPrefix("<?xml") }],
            exempt: followExempt),
        SweepScene(
            "check, profile", ["check"], profile, refusedPolicies, expiry, chains, connection, refusedReach, following,
            refusedLists, anchors,
            profileQuestions, backends,
            [.honoured("--client", "FOLDER/clients.yaml") { run, _ in run.finds("client-emulated") }],
            cache, formats, log, warnings, retries, ofProfile,
            exempt: cacheExempt + identityExempt + clientExempt + [
                ("--client", "--retry", because: "the two are refused together, by name")
            ]),
        SweepScene(
            "compare, targets", ["compare"], target, compared, failingExpiry, connection, reach, refusedFollowing,
            revocation, questions,
            backends, plainFormats, log,
            .base("--ca"), otherAnchors, withoutProfile, exempt: reachExempt),
        SweepScene(
            "compare, profile", ["compare"], profile, refusedPolicies, failingExpiry, connection, refusedReach,
            following,
            refusedLists, anchors,
            profileQuestions, backends,
            plainFormats, log, ofProfile, exempt: identityExempt),
        SweepScene(
            "watch, targets", ["watch"], target + once, watched, failingExpiry, connection, reach, refusedFollowing,
            revocation,
            questions,
            backends, cache, watch,
            plainFormats, log, .base("--ca"), otherAnchors, withoutProfile, exempt: cacheExempt + reachExempt),
        SweepScene(
            "watch, profile", ["watch"], profile + once, refusedPolicies, failingExpiry, connection, refusedReach,
            following,
            refusedLists,
            anchors, profileQuestions,
            backends, cache, watch, plainFormats, log, ofProfile, exempt: cacheExempt + identityExempt),
        SweepScene(
            "scan", ["scan"], target, policies, expiry, connection, reach, refusedFollowing, revocation, questions,
            backends, log,
            .base("--ca"), otherAnchors,
            scan,
            exempt: [("--pin-chain", "--list", because: "a list's lines may have pins")] + reachExempt),
        SweepScene(
            "models", ["models"], lists,
            [
                .refused("--concurrency", "5"),
                .refused("--name-server-port", "54"),
                .skipped("--authoritative", because: "it finds its servers itself; AuthoritativeCommandTests has it"),
                .skipped("--list", because: "it has an output of its own, which ModelsListTests has"),
            ], refusedAddresses, questionsOfLists, resolvers, plugins, cache, formats, log, times,
            exempt: cacheExempt),
        SweepScene(
            "survey", ["survey"], ["a.wild.test"],
            [
                .honoured("--backend", "two") { run, _ in run.requests.handshakes.allSatisfy { $0.backend == "two" } },
                .honoured("--plugin", "FOLDER/probe-transport-ext", "FOLDER/probe-transport-ext2") { run, path in
                    run.output.contains("\(path.split(separator: "-").last ?? "") can't do offer")
                        || run.arguments.contains("two")
                },
                .honoured("--handshakes", "7") { run, _ in run.output.contains("\"maximum\":7") },
                .honoured("--connect", "192.0.2.9:443") { run, place in run.handshakes { "\($0.endpoint)" == place } },
                .unseen("--timeout", "77", because: "it is the whole survey's; SurveyorTests has it"),
                .refused("--ca", "FOLDER/ca.pem"), .refused("--roots", "mozilla@2021-05"), .refused("--at", instant),
            ], [starting], identity, refusedProxies, addresses, following, refusedLists, folder, plainFormats, log),
        SweepScene(
            "pins, a server", ["pins"], ["a.wild.test"],
            [
                .honoured("--backend", "two") { run, _ in run.requests.handshakes.allSatisfy { $0.backend == "two" } }
            ], connection, reach, following, anchors, refusedLists,
            [.refused("--plugin", "FOLDER/probe-transport-ext")], folder,
            plainFormats, log),
        SweepScene(
            "pins, a file", ["pins"], ["FOLDER/chain.pem"],
            [
                .unseen("--backend", "two", because: "it reads the keys, and both read them alike"),
                .refused("--connect", "192.0.2.9:443"), .refused("--starttls", "smtp"),
                .refused("--client-cert", "FOLDER/client.pem"), .refused("--client-key", "FOLDER/client.pem"),
                .refused("--client-passphrase", "FOLDER/client.pem"), .refused("--proxy", "http://p.test"),
                .refused("--proxy-credentials", "FOLDER/client.pem"), .refused("--proxy-ca", "FOLDER/other.pem"),
                .refused("--ca", "FOLDER/other.pem"),
                .refused("--roots", "mozilla@2021-05"),
                .refused("--at", instant), .refused("--timeout", "77"), .refused("--crl", "FOLDER/empty.crl"),
                .refused("--plugin", "FOLDER/probe-transport-ext"),
            ], refusedAddresses, folder, plainFormats, log),
        SweepScene(
            "verify, files", ["verify"], ["FOLDER/chain.pem", "--name", "a.wild.test", "--ca", "FOLDER/ca.pem"],
            [
                .refused("--batch", "FOLDER/questions.jsonl"),
                .honoured("--purpose", "any") { run, _ in run.requests.trust.allSatisfy { $0.question.purpose == .any }
                },
                .honoured("--max-depth", "7") { run, _ in run.requests.trust.allSatisfy { $0.question.maxDepth == 7 } },
                .honoured("--crl", "FOLDER/empty.crl") { run, _ in
                    run.requests.trust.allSatisfy { !$0.question.anchors.revocationLists.isEmpty }
                },
                .honoured("--at", instant) { run, _ in run.requests.trust.allSatisfy { $0.question.instant == moment }
                },
                .honoured("--backend", "one", "two") { run, name in
                    run.requests.trust.contains { $0.backend == name }
                        && (run.arguments.contains("two") || run.requests.trust.allSatisfy { $0.backend == "one" })
                },
            ], .base("--name", "--ca"), otherAnchors, programs, folder, plainFormats, log),
        SweepScene(
            "verify, a batch", ["verify"], ["--batch", "FOLDER/questions.jsonl"],
            [
                .refused("--name", "a.test"), .refused("--ca", "FOLDER/ca.pem"), .refused("--purpose", "any"),
                .refused("--roots", "mozilla@2021-05"),
                .refused("--max-depth", "7"), .refused("--crl", "FOLDER/empty.crl"),
                .honoured("--at", instant) { run, _ in run.requests.trust.allSatisfy { $0.question.instant == moment }
                },
                .unseen("--backend", "one", because: "the scene of files shows it"),
            ], .base("--batch"), programs, folder,
            [.unseen("--format", "json", because: "a batch prints nothing else")],
            log),
        SweepScene(
            "match", ["match"], ["--pin", "PIN", "FOLDER/chain.pem"],
            [
                // The file has the leaf; the root, whose pin it is, is not in it.
                .unseen("--pin", "OTHERPIN", because: "no certificate of the file has it"),
                .honoured("--pins", "FOLDER/pins.txt") { run, _ in run.code == 0 },
                .honoured("--profile", "FOLDER/pins.txt") { run, _ in run.code == 0 },
                .skipped("--resume", because: "finds go to a file; MatchCommandTests has it"),
            ], plainFormats, log),
        SweepScene(
            "signature", ["signature"],
            ["--content", "FOLDER/app.yaml", "--signature", "FOLDER/app.p7s", "--signers", "FOLDER/signers.json"],
            [
                .honoured("--at", instant) { run, _ in
                    run.requests.signatures.allSatisfy { $0.question.instant == moment }
                },
                .honoured("--backend", "one") { run, _ in run.requests.signatures.allSatisfy { $0.backend == "one" } },
            ], .base("--content", "--signature", "--signers"), plainFormats, log),
        SweepScene(
            "serve, checked", ["serve"], ["--config.file", "FOLDER/serve.yml", "--config.check"],
            [
                .unseen("--web.listen-address", "127.0.0.1:0", because: "nothing is served; ServeCommandTests has it"),
                .unseen("--web.config.file", "FOLDER/web.yml", because: "nothing is served; ProbeServeTests has it"),
                .unseen("--store", "FOLDER/NEW.db", because: "nothing is asked; WatchRoundsTests has it"),
                .unseen("--timeout-offset", "1", because: "nothing is asked; ProbeServeTests has it"),
                .unseen("--allow-network", "127.0.0.0/8", because: "nothing is asked; ServeCommandTests has it"),
                .unseen("--allow-target", "a.test", because: "nothing is asked; ProbeServeTests has it"),
                .unseen("--max-probes", "7", because: "nothing is asked; ProbeServeTests has it"),
                .unseen("--history.limit", "7", because: "nothing is asked; ProbeServeTests has it"),
                .unseen("--backend", "one", because: "nothing is asked; ServeCommandTests has it"),
                .unseen("--resolver", "first", because: "nothing is asked; as --backend"),
                .unseen("--plugin", "FOLDER/probe-transport-ext", because: "nothing is asked; as --backend"),
                .skipped("--system-settings", because: "it starts the program again; SystemSettingsTests has it"),
            ], folder, log, .base("--config.file", "--config.check")),
    ]

    // MARK: The common parts of a scene's runs

    private static let target = [
        "--ca", "FOLDER/ca.pem", "--model", "dc", "--model-host", "models.test", "--dns-server", "https://dns.test/q",
        "a.wild.test",
    ]
    private static let profile = ["--profile", "FOLDER/app.yaml"]
    private static let once = ["--rounds", "1"]
    private static let lists = [
        "silent.test", "models.test", "--model", "dc", "--dns-server", "https://dns.test/q",
    ]

    // MARK: Clients

    private static let clientExempt = [
        ("--client", "--plugin", because: "one stack sends the offers: the first that can, and the program is the last")
    ]

    /// What is asked of clients: pins, policies and the way to the server are the app's; roots, offers and habits are the
    /// client's, and DNS is not asked.
    private static let ofClients: [SweptOption] =
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
            .skipped("--profile", because: "the scene of check with a profile has it, as the next three"),
            .skipped("--environment", because: "as --profile"), .skipped("--signature", because: "as --profile"),
            .skipped("--signers", because: "as --profile"),
        ] + connection + expiry + folder

    // MARK: Classes of options

    private static let instant = "2031-01-01T00:00:00Z"
    private static let moment = (try? RFC3339.parse(instant)) ?? .distantPast
    private static let anchor = ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D"
    private static let otherAnchor =
        "test. IN DS 1 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D"

    private static let policies: [SweptOption] =
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
    private static let expiry: [SweptOption] = [
        .honoured("--expires-within", "180d") { run, _ in
            run.finds("certificate-expires-soon") || run.arguments.contains("--at")
        }
    ]
    private static let failingExpiry: [SweptOption] = [
        .honoured("--expires-within", "180d") { run, _ in
            failures.contains(run.code) || run.arguments.contains("--at")
        }
    ]

    private static let chains: [SweptOption] = [
        .skipped("--chain", because: "nothing is asked where it is given; OfflineCheckTests has it")
    ]

    private static let revocation: [SweptOption] = [
        .honoured("--crl", "FOLDER/empty.crl") { run, _ in run.handshakes { !$0.anchors.revocationLists.isEmpty } }
    ]
    private static let refusedLists: [SweptOption] = [.refused("--crl", "FOLDER/empty.crl")]

    private static let offers: [SweptOption] = [
        .honoured("--min-tls", "1.0") { run, _ in run.handshakes { $0.versions.lowerBound == .tls10 } },
        .honoured("--alpn", "h2", "spdy/3") { run, name in run.handshakes { $0.alpn.contains(name) } },
        .honoured("--server-date", "always") { run, _ in run.handshakes { $0.exchange != nil } },
    ]

    /// The codes of pins and trust; another instant makes the stacks disagree.
    private static let failures: [Int32] = [10, 11, 30]

    /// A comparison shows facts and outcomes; findings are the check's.
    private static let compared: [SweptOption] =
        [
            .honoured("--pin", "OTHERPIN") { run, _ in failures.contains(run.code) },
            .unseen("--pin-chain", "presented", because: "the scene of check shows it"),
            .honoured("--expect-certificate", "FOLDER/leaf.pem") { run, _ in failures.contains(run.code) },
            .unseen("--policy", "sweep-a", because: "the scene of check shows it"),
            .honoured("--emulate", "minvws") { run, _ in failures.contains(run.code) },
            .unseen("--trust", "native", because: "the scene of check shows it"),
        ] + offers

    /// A watch prints a status, with the deciding finding.
    private static let watched = compared

    private static let refusedPolicies: [SweptOption] = [
        .refused("--pin", "PIN"), .refused("--pin-chain", "validated"),
        .refused("--expect-certificate", "FOLDER/ca.pem"), .refused("--policy", "sweep-a"),
        .refused("--emulate", "minvws"), .refused("--trust", "both"), .refused("--min-tls", "1.2"),
        .refused("--alpn", "h2"), .refused("--server-date", "when-it-decides"), .refused("--model", "dc"),
        .refused("--model-host", "models.test"),
    ]

    private static let reach: [SweptOption] =
        [
            starting
        ] + identity + proxies + addresses
    private static let addresses: [SweptOption] = [
        .flag("--all-addresses") { run in
            let hosts = run.requests.handshakes.map { "\($0.request.endpoint.host)" }
            return run.handshakes { if case .ip = $0.endpoint.host { true } else { false } } && Set(hosts).count > 1
        },
        .honoured("--family", "6") { run, _ in
            run.handshakes { if case .ip(let address) = $0.endpoint.host { address.isIPv6 } else { false } }
        },
    ]
    private static let refusedAddresses: [SweptOption] =
        [.refused("--all-addresses", nil), .refused("--family", "4")] + refusedFollowing
    /// The records lead every name to the same server, at other addresses than its own.
    private static let following: [SweptOption] = [
        .flag("--follow") { run in
            run.handshakes { SweptRecords.addresses.map(ServerName.ip).contains($0.endpoint.host) }
        }
    ]
    /// Targets have a server over HTTPS to ask about models, which is not asked for records.
    private static let refusedFollowing: [SweptOption] = [.refused("--follow", nil)]
    private static let followExempt = [
        ("--dns-server", "--follow", because: "clients ask no DNS, but records are followed; FollowCommandTests has it")
    ]
    private static let starting = SweptOption.honoured("--starttls", "smtp") { run, _ in
        run.handshakes { $0.startTLS == .smtp }
    }
    private static let identity: [SweptOption] = [
        .honoured("--client-cert", "FOLDER/client.pem") { run, _ in run.handshakes { $0.clientIdentity != nil } },
        .unseen(
            "--client-key", "FOLDER/client.pem",
            because: "refused without --client-cert; with it, ClientIdentityCommandTests has it"),
        .unseen(
            "--client-passphrase", "FOLDER/client.pem",
            because: "refused without --client-cert; with it, ClientIdentityCommandTests has it"),
    ]
    private static let proxies: [SweptOption] = [
        .honoured("--proxy", "http://p.test", "socks5://p.test:1") { run, url in
            run.handshakes { $0.route.proxy.map { "\($0)".hasPrefix(url) } ?? false }
        },
        .unseen(
            "--proxy-credentials", "FOLDER/client.pem", because: "refused without --proxy; ProxyCommandTests has it"),
        .unseen("--proxy-ca", "FOLDER/other.pem", because: "refused without --proxy; ProxyCommandTests has it"),
    ]
    private static let refusedProxies: [SweptOption] = [
        .refused("--proxy", "http://p.test"), .refused("--proxy-credentials", "FOLDER/client.pem"),
        .refused("--proxy-ca", "FOLDER/other.pem"),
    ]
    private static let reachExempt =
        [
            ("--starttls", "--plugin", because: "the program's protocol has no words for it, and of all it is left out")
        ] + identityExempt
    private static let identityExempt = [
        ("--client-cert", "--plugin", because: "the program's protocol has no words for it, and of all it is left out"),
        ("--proxy", "--plugin", because: "the program's protocol has no words for it, and of all it is left out"),
    ]
    private static let refusedReach: [SweptOption] =
        [.refused("--starttls", "smtp")] + identity + proxies + addresses

    private static let connection: [SweptOption] = [
        .honoured("--connect", "192.0.2.9:443") { run, place in run.handshakes { "\($0.endpoint)" == place } },
        .honoured("--at", instant) { run, _ in
            run.handshakes { abs($0.instant.timeIntervalSince(moment)) < 3600 }
                && run.requests.queries.allSatisfy {
                    abs($0.query.instant?.timeIntervalSince(moment) ?? .infinity) < 3600
                }
        },
        .honoured("--timeout", "3000") { run, _ in
            run.handshakes { $0.deadline.remaining > .seconds(1000) }
                && run.requests.queries.allSatisfy { $0.query.deadline.remaining > .seconds(1000) }
        },
    ]

    private static let anchors: [SweptOption] = [
        .honoured("--ca", "FOLDER/other.pem") { run, path in run.handshakes { $0.anchors.name == path } },
        .honoured("--roots", "mozilla@2021-05", "all@2021-05") { run, name in
            run.handshakes { $0.anchors.name.hasPrefix(name.dropLast(4)) }
        },
    ]
    /// Beside `--ca`, which the scene needs.
    private static let otherAnchors: [SweptOption] = [.refused("--roots", "mozilla@2021-05")]

    private static let validation: [SweptOption] = [
        .honoured("--dnssec", "require") { run, _ in run.queries { $0.dnssec == .require } },
        .honoured("--edns-size", "4096") { run, _ in run.queries { $0.ednsSize == 4096 } },
        .honoured("--txt-strings", "separate") { run, _ in
            run.output.contains(#/model-not-listed"[^:]/#)
                || run.arguments[0] == "watch" && (failures + [13]).contains(run.code)
        },
    ]
    private static let redirection: [SweptOption] = [
        .honoured("--dns-connect", "192.0.2.8:443") { run, place in
            run.queries { !$0.httpsServers.isEmpty && $0.httpsServers.allSatisfy { "\($0.endpoint)" == place } }
        },
        .honoured("--dns-ca", "FOLDER/other.pem") { run, path in
            run.queries { !$0.httpsServers.isEmpty && $0.httpsServers.allSatisfy { $0.anchors.name == path } }
        },
        // For tls servers alone, as TLSServerCommandTests has it.
        .refused("--dns-pin", "PIN"),
    ]

    private static let questionsOfLists: [SweptOption] =
        [
            .honoured("--dns-server", "192.0.2.54", "192.0.2.55") { run, server in
                run.queries { $0.servers.contains { "\($0)" == "\(server):53" } }
            },
            .honoured("--dnssec-anchor", anchor, otherAnchor) { run, anchor in
                run.queries { $0.anchors.contains { "\($0)" == anchor } }
            },
        ] + validation + redirection + [SweptOption].base("--model")

    private static let questions: [SweptOption] =
        questionsOfLists + [
            .honoured("--model-host", "other.test", "another.test") { run, name in
                run.requests.queries.contains { "\($0.query.name)" == name }
            }
        ]

    /// The profile has rules with a server of each kind, and validates the first one's list.
    private static let profileQuestions: [SweptOption] =
        validation + redirection + [
            .honoured("--dns-server", "192.0.2.54", "https://other.test/q") { run, server in
                run.queries {
                    $0.servers.contains { "\($0)" == "\(server):53" } || $0.httpsServers.contains { "\($0)" == server }
                        || $0.httpsServers.contains { $0.description == server }
                } && run.queries { !$0.servers.contains { "\($0)" == "192.0.2.53:53" } }
            },
            .honoured("--dnssec-anchor", anchor, otherAnchor) { run, anchor in
                run.requests.queries.contains { $0.query.anchors.contains { "\($0)" == anchor } }
            },
        ]

    private static let resolvers: [SweptOption] = [
        .honoured("--resolver", "first", "second") { run, name in
            run.requests.queries.contains { $0.backend == name }
                && (run.arguments.contains("second")
                    || run.queries { _ in true }
                        && run.requests.queries.allSatisfy { $0.backend == "first" })
        }
    ]
    private static let programs: [SweptOption] = [
        .honoured("--plugin", "FOLDER/probe-transport-ext", "FOLDER/probe-transport-ext2") { run, path in
            run.output.contains("\"" + (path.split(separator: "-").last ?? "") + "\"")
                || run.output.contains("\"" + (path.split(separator: "-").last ?? "") + "+")
        }
    ]
    private static let folder: [SweptOption] = [
        .unseen("--plugin-path", "FOLDER/none", because: "programs of a folder are those of --plugin")
    ]
    private static let plugins: [SweptOption] = [.refused("--plugin", "FOLDER/probe-transport-ext")] + folder
    private static let backends: [SweptOption] =
        [
            .honoured("--backend", "one", "two") { run, name in
                run.requests.handshakes.contains { $0.backend == name }
                    && (run.arguments.contains("two") || run.requests.handshakes.allSatisfy { $0.backend == "one" })
            },
            .skipped("--system-settings", because: "it starts the program again; SystemSettingsTests has it"),
        ] + resolvers + programs + folder

    private static let times: [SweptOption] = [
        .honoured("--at", instant) { run, _ in run.queries { $0.instant == moment } },
        .honoured("--timeout", "3000") { run, _ in run.queries { $0.deadline.remaining > .seconds(1000) } },
    ]

    private static let cache: [SweptOption] = [
        .honoured("--cache", "FOLDER/NEW.db") { run, path in FileManager.default.fileExists(atPath: path) },
        .unseen("--no-cache", nil, because: "it is what happens without --cache"),
        .unseen("--cache-lifetime", "60", because: "refused without --cache; with it, CacheCommandTests has it"),
    ]
    private static let cacheExempt = [
        (
            "--cache", "--no-cache", because: "the help says that --no-cache decides, so that scripts can add it"
        )
    ]

    private static let plainFormats: [SweptOption] = [
        .honoured("--format", "text") { run, _ in run.lines.isEmpty && !run.output.isEmpty }
    ]
    private static let formats: [SweptOption] = [
        .honoured("--format", "junit") { run, _ in run.output.hasPrefix("<?xml") },
        .unseen("--verbose", nil, because: "it adds lines to text where there are more; TextReportTests has it"),
    ]
    private static let warnings: [SweptOption] = [
        .unseen("--fail-on-warning", nil, because: "it changes the exit code alone; RetryCommandTests has it")
    ]
    private static let log: [SweptOption] = [
        .unseen("--log-level", "none", because: "the log is the process's, and CommandTests looks at it")
    ]

    private static let withoutProfile: [SweptOption] = [
        .refused("--profile", "FOLDER/app.yaml"), .refused("--environment", "prod"),
        .refused("--signature", "FOLDER/app.p7s"), .refused("--signers", "FOLDER/signers.json"),
    ]
    private static let ofProfile: [SweptOption] =
        [SweptOption].base("--profile") + [
            .honoured("--environment", "prod", "dev") { run, name in
                run.requests.handshakes.contains { "\($0.request.serverName)".hasPrefix(name == "prod" ? "a." : "b.") }
                    && (run.arguments.contains("dev")
                        || run.handshakes { "\($0.serverName)".hasPrefix("a.") })
            },
            .honoured("--signature", "FOLDER/app.p7s") { run, _ in !run.requests.signatures.isEmpty },
            .honoured("--signers", "FOLDER/signers.json") { run, _ in !run.requests.signatures.isEmpty },
        ]

    private static let watch: [SweptOption] =
        [SweptOption].base("--rounds") + [
            .unseen("--every", "1", because: "a sweep has one round"),
            .unseen("--jitter", "0", because: "a sweep has one round"),
            .unseen("--backoff", "1", because: "every server answers"),
            .unseen("--warn-days", "1", because: "WatchCommandTests has it"),
            .unseen("--exec", "true", because: "WatchCommandTests has it"),
            .unseen("--exec-timeout", "1", because: "refused without --exec; with it, WatchCommandTests has it"),
            .unseen("--until-first-failure", nil, because: "a sweep has one round"),
            .unseen(
                "--connection-lifetime", "60", because: "refused without --cache; with it, CacheCommandTests has it"),
        ]

    private static let scan: [SweptOption] =
        [
            .honoured("--list", "FOLDER/targets.txt") { run, _ in
                run.requests.handshakes.contains { "\($0.request.serverName)" == "c.wild.test" }
            },
            .unseen("--concurrency", "2", because: "ScanSlotsTests has it"),
            .skipped("--spacing", because: "it looks names up; ScanCommandTests has it"),
            .honoured("--shard", "1/1") { run, _ in run.output.contains("\"shard\":\"1/1\"") },
            .skipped("--resume", because: "results go to a file; ScanCommandTests has it"),
            .skipped("--retry-failed", because: "it needs --resume; ScanOverloadTests has it"),
            .honoured("--format", "csv") { run, _ in run.output.hasPrefix("target,service,transport,") },
        ] + retries
    private static let retries: [SweptOption] = [
        .unseen("--retry", "1", because: "every target of a sweep answers; RetryCommandTests has it")
    ]
}
