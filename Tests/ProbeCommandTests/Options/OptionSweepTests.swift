import ArgumentParser
import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// Every option is combined with a profile and with every other option: each is honoured, as backends that record their
/// requests show, or rejected by its name. For a repeated option all values count, or it is rejected.
@Suite(.serialized, .bounded) struct OptionSweepTests {
    @Test("each option of each command has a line in the sweep") func everyOptionIsClassified() throws {
        for (path, command) in Self.commands(RootCommand.self) {
            let names = try CommandOptions(command).options.map(\.name)
            #expect(Set(names).count == names.count, "\(path) has a name twice")
            let known = Set(names).subtracting(["--help", "--version"])
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
                    // A short name is another one for the same.
                    for name in option.names {
                        try RepeatedOptions([name, "a"]).refuse(in: command)
                        let both = RepeatedOptions([name, "a", option.name, "b"])
                        #expect(throws: InputError.self) { try both.refuse(in: command) }
                    }
                }
            }
        }
        print("options given twice: \(count)")
        #expect(count > 150)
    }

    @Test("each option and each pair is honoured, or refused by name", arguments: SweepScene.all)
    func optionsMeet(scene: SweepScene) async throws {
        if let only = Self.only, !scene.description.contains(only) { try skip("PROBE_SWEEP=\(only) leaves it out") }
        var sweep = OptionSweep(scene, on: try SweepStage())
        let start = ContinuousClock.now
        try await sweep.run()
        let time = start.duration(to: .now)
        print("option sweep, \(scene): \(sweep.combinations) combinations in \(sweep.runs) runs, \(time)")
    }

    /// The text that scenes have to have in their names, as in `PROBE_SWEEP=lint`; nil runs all.
    private static let only = ProcessInfo.processInfo.environment["PROBE_SWEEP"]

    /// Commands of which no scene runs: they start servers or programs and take seconds.
    private static let withoutScene: Set<String> = [
        "lab", "conformance", "bench all", "bench hash", "bench handshake", "bench dns", "bench scan", "bench chains",
        "bench serve",
        "backends", "cache show", "cache clear", "profile digests",
        "clients list", "clients show", "roots list", "roots show", "roots diff", "roots trust", "roots import",
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
