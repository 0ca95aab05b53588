import ArgumentParser
import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// Every option meets a profile, and every pair of options meets: each is honoured, as backends that record what they are
/// asked show, or refused by its name. An option that is given again counts all its values, or is refused.
@Suite(.bounded, .serialized, .timeLimit(.minutes(10))) struct OptionSweepTests {
    @Test("each option of each command has a line in the sweep") func everyOptionIsClassified() throws {
        for (path, command) in Self.commands(RootCommand.self) {
            let known = Set(try CommandOptions(command).options.map(\.name)).subtracting(["--help", "--version"])
            let scenes = SweepScene.all.filter { $0.command == path }
            #expect(!scenes.isEmpty || Self.withoutScene.contains(path.joined(separator: " ")), "\(path)")
            for scene in scenes {
                let classified = scene.options.map(\.name)
                #expect(Set(classified) == known, "\(scene): \(known.symmetricDifference(classified).sorted())")
                #expect(Set(classified).count == classified.count, "\(scene) has a line twice")
            }
        }
    }

    @Test("no option that takes one value is given twice") func singleOptionsAreGivenOnce() throws {
        var count = 0
        for (_, command) in Self.commands(RootCommand.self) {
            for option in try CommandOptions(command).options where option.takesValue {
                let given = RepeatedOptions([option.name, "a", "\(option.name)=b"])
                count += 1
                if option.isRepeating {
                    try given.refuse(in: command)
                } else {
                    let error = #expect(throws: InputError.self) { try given.refuse(in: command) }
                    #expect(error?.message.contains(option.name) ?? false)
                    try RepeatedOptions([option.name, "a", "--", option.name]).refuse(in: command)
                }
            }
        }
        print("options given twice: \(count)")
        #expect(count > 150)
    }

    @Test("each option and each pair is honoured, or refused by name", arguments: SweepScene.all)
    func optionsMeet(scene: SweepScene) async throws {
        let stage = try SweepStage()
        let start = ContinuousClock.now
        let base = try await stage.run(scene, [])
        #expect(!base.isRefused && base.code != 70, "\(base.arguments) \(base.code) \(base.errors)")
        var alone: [String: SweepRun] = [:]
        var seen: Set<String> = []
        var count = 1

        func meet(_ given: [(option: SweptOption, value: String?)]) async throws {
            let run = try await stage.run(scene, given.map { ($0.option.name, $0.value) })
            count += 1
            if given.count == 1 { alone[given[0].option.name] = run }
            let line = run.arguments.joined(separator: " ")
            guard !run.isRefused else {
                #expect(given.contains { run.errors.contains($0.option.name) }, "refused, but not by name: \(line)\n\(run.errors)")
                return
            }
            #expect(run.code != 70, "\(line)\n\(run.errors)")
            #expect(!given.contains { $0.option.isRefused }, "not refused: \(line)")
            if given.count == 2, scene.isExempt(given[0].option.name, given[1].option.name) { return }
            // What is not printed as JSON shows no findings: the exit code tells whether the other option counted.
            if given.count == 2, let format = given.firstIndex(where: { $0.option.name == "--format" }),
                given[format].option.isHonoured, let other = alone[given[1 - format].option.name], !other.isRefused
            {
                #expect(run.code == other.code, "\(line)")
                #expect(given[format].option.isSeen(given[format].value, in: run), "--format ignored: \(line)")
                return
            }
            for (option, value) in given {
                let value = value.map { stage.text($0, of: run) }
                if option.isSeen(value, in: run) {
                    if option.isHonoured { seen.insert(option.name) }
                } else {
                    Issue.record("\(option.name) is ignored: \(line)\n\(run.code) \(run.output.prefix(600))\(run.errors)")
                }
            }
        }

        let options = scene.options.filter { !$0.values.isEmpty }
        for option in options {
            if option.isHonoured, let value = option.values.first {
                #expect(!option.isSeen(value.map { stage.text($0, of: base) }, in: base), "\(option.name) shows nothing")
            }
            try await meet([(option, option.values[0])])
            if option.values.count > 1 { try await meet(option.values.map { (option, $0) }) }
        }
        for (index, first) in options.enumerated() {
            for second in options[(index + 1)...] {
                try await meet([(first, first.values[0]), (second, second.values[0])])
            }
        }
        for option in options where option.isHonoured {
            #expect(seen.contains(option.name), "\(scene): \(option.name) is never honoured")
        }
        let time = start.duration(to: .now)
        print("option sweep, \(scene): \(count) combinations in \(time.formatted(.units(allowed: [.seconds])))")
    }

    /// Commands of which no scene runs: they start servers or programs and take seconds.
    private static let withoutScene: Set<String> = [
        "lab", "conformance", "bench all", "bench hash", "bench handshake", "bench dns", "bench scan", "bench serve",
        "backends", "cache show", "cache clear", "profile lint", "profile forecast", "profile convert", "profile diff",
        "profile digests",
    ]

    /// The commands that run, each with the names that lead to it.
    private static func commands(
        _ root: any ParsableCommand.Type, _ path: [String] = []
    ) -> [([String], any ParsableCommand.Type)] {
        root.configuration.subcommands.flatMap { command in
            let path = path + [command._commandName]
            return command.configuration.subcommands.isEmpty ? [(path, command)] : commands(command, path)
        }
    }
}

/// The files of a sweep, and the way from a scene to a run.
private final class SweepStage {
    private let folder: String
    private let chain: [[UInt8]]
    private let pin: String
    private var count = 0
    private static let pki = LabPKI(epoch: .now)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "probe-sweep-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder + "/none", withIntermediateDirectories: true)
        let identity = try Self.pki.identity(.wildcard)
        chain = identity.chain
        pin = PinDigest.sha256(of: try Self.pki.key(LabAuthority.root.recipe.key).spki).base64
        let root = try Self.pki.rootPEM()
        try write(root, "ca.pem")
        try write(try Self.pki.identity(.good).issuersPEM, "other.pem")
        try write(identity.chainPEM, "chain.pem")
        let servers = #"["192.0.2.53:53", "https://dns.test/q"]"#
        try write(
            """
            profile: 1
            unlistedHost: system
            anchors: [ca.pem]
            environments:
              prod: {services: {api: "https://a.wild.test"}}
              dev: {services: {api: "https://b.wild.test"}}
            models:
              - {model: dc, hosts: [silent.test, models.test], servers: \(servers), dnssec: prefer}
              - {model: dc, hosts: [models.test], servers: \(servers)}
            digests: {ca.pem: "sha256:\(PinDigest.sha256(of: Array(root.utf8)).hex)"}
            """, "app.yaml")
        try write("signature", "app.p7s")
        try write(#"[{"name": "lab", "certificate": "ca.pem"}]"#, "signers.json")
        try write("c.wild.test\n", "targets.txt")
        let leaf = Data(identity.leaf).base64EncodedString()
        let anchor = Data(try Self.pki.certificate(of: .root)).base64EncodedString()
        try write(
            #"{"id":"1","leaf":"\#(leaf)","intermediates":[],"anchors":["\#(anchor)"],"name":"dns:a.wild.test","purpose":"server"}"#
                + "\n", "questions.jsonl")
        for name in ["ext", "ext2"] {
            let hello =
                #"{"id":0,"type":"hello","protocol":1,"kind":"transport","name":"\#(name)","library":"none","version":"1","capabilities":["presented-chain","key-reading","version-range","trust-evaluation","sni","alpn","http-head"]}"#
            try write("#!/bin/sh\nread line\necho '\(hello)'\nread line\n", "probe-transport-\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: "\(folder)/probe-transport-\(name)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    /// A value as it stands on a run's command line.
    func text(_ value: String, of run: SweepRun) -> String {
        value.hasSuffix("NEW.db") ? run.arguments.first { $0.hasSuffix(".db") } ?? "" : filled(value)
    }

    func run(_ scene: SweepScene, _ given: [(name: String, value: String?)]) async throws -> SweepRun {
        count += 1
        let format = scene.options.first { $0.name == "--format" }
        let isJSON = format.map(\.isHonoured) == true && !given.contains { $0.name == "--format" }
        let options = given.flatMap { [$0.name] + ($0.value.map { [filled($0)] } ?? []) }
        return try await SweepRun.run(
            scene.command + options + (isJSON ? ["--format", "json"] : []) + scene.arguments.map(filled),
            chain: chain)
    }

    private func filled(_ text: String) -> String {
        text.replacing("FOLDER", with: folder).replacing("NEW", with: "\(count)").replacing(
            "OTHERPIN", with: "spki@any:sha256:\(PinDigest.sha256(of: [1]).base64)"
        ).replacing("PIN", with: "spki@any:sha256:\(pin)")
    }
}
