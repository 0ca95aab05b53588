import Foundation
import ProbeKit

@testable import ProbeCommand

/// The scenes of the sweep. A new option needs a line in each scene of its command, else the sweep fails.
extension SweepScene {
    static let all = ofCommands + ofFiles

    private static let ofCommands = [
        SweepScene(
            "check, targets", ["check"], target, policies, expiry, chains, connection, reach, refusedFollowing, dane,
            revocation,
            questions, backends, cache, formats, log, warnings, retries, [.refused("--client", "android-7.0")],
            .base("--ca"), otherAnchors, withoutProfile, exempt: cacheExempt + reachExempt),
        SweepScene(
            "check, a client", ["check"], ["--client", "FOLDER/clients.yaml", "a.wild.test"], ofClients,
            .base("--client"), reach, following, dane, chains, formats, log, warnings,
            [
                .refused("--retry", "1"),
                .refused("--cache", "FOLDER/NEW.db"), .refused("--no-cache", nil), .refused("--cache-lifetime", "60"),
            ], exempt: followExempt),
        SweepScene(
            "fleet", ["fleet"], ["--fleet", "FOLDER/fleet.yaml", "a.wild.test"], ofClients, .base("--fleet"), reach,
            following, dane, chains, log, [.honoured("--format", "junit") { run, _ in run.output.hasPrefix("<?xml") }],
            exempt: followExempt),
        SweepScene(
            "check, profile", ["check"], profile, refusedPolicies, expiry, chains, connection, refusedReach, following,
            dane,
            refusedLists, anchors,
            profileQuestions, backends,
            [.honoured("--client", "FOLDER/clients.yaml") { run, _ in run.finds("client-emulated") }],
            cache, formats, log, warnings, retries, ofProfile,
            exempt: cacheExempt + identityExempt + clientExempt + [
                ("--client", "--retry", because: "the two are refused together, by name")
            ]),
        SweepScene(
            "compare, targets", ["compare"], target, compared, failingExpiry, connection, reach, refusedFollowing, dane,
            revocation, questions,
            backends, plainFormats, log,
            .base("--ca"), otherAnchors, withoutProfile, exempt: reachExempt),
        SweepScene(
            "compare, profile", ["compare"], profile, refusedPolicies, failingExpiry, connection, refusedReach,
            following, dane,
            refusedLists, anchors,
            profileQuestions, backends,
            plainFormats, log, ofProfile, exempt: identityExempt),
        SweepScene(
            "watch, targets", ["watch"], target + once, watched, failingExpiry, connection, reach, refusedFollowing,
            dane,
            revocation,
            questions,
            backends, cache, watch,
            plainFormats, log, .base("--ca"), otherAnchors, withoutProfile,
            exempt: cacheExempt + reachExempt + watchExempt),
        SweepScene(
            "watch, profile", ["watch"], profile + once, refusedPolicies, failingExpiry, connection, refusedReach,
            following, dane,
            refusedLists,
            anchors, profileQuestions,
            backends, cache, watch, plainFormats, log, ofProfile, exempt: cacheExempt + identityExempt + watchExempt),
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
}
