import ArgumentParser
import Foundation
import ProbeExternal
import ProbeKit

/// The backends a command line names, and where those of other programs are.
struct BackendSelection {
    let plugins: PluginOptions
    /// Those of `--backend`.
    let transports: BackendChoice
    /// Those of `--resolver`.
    let resolvers: BackendChoice

    /// Returns the build's backends and the started programs: those that are named or belong to `all`.
    ///
    /// - Throws: ``InputError`` naming a program that is not a plugin, or one that was named explicitly and can't be
    ///   used.
    func loading(into build: Backends) async throws -> LoadedBackends {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let search = try ProgramSearch(
            programs: plugins.plugin, folders: plugins.pluginPath,
            searchPath: path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") })
        try refuseNames(of: build, among: search.named)
        let loaded = LoadedBackends()
        try refuseUnbuilt(self.transports, .transport, search, build.transports.map(\.name))
        try refuseUnbuilt(self.resolvers, .resolver, search, build.resolvers.map(\.name))
        let transports = programs(.transport, transports, search, build.transports.map(\.name))
        let resolvers = programs(.resolver, resolvers, search, build.resolvers.map(\.name))
        for program in search.programs where !(transports + resolvers).contains(program) {
            let option = program.kind == .transport ? "--backend" : "--resolver"
            throw InputError(
                "--plugin '\(program.path)' is not asked: \(option) does not name it",
                remedy: "leave it out, or add \(option) \(program.name) where the command has that option")
        }
        for unused in search.unused { Terminal.printError("probe: \(PrintableText.escape("\(unused)"))") }
        if !transports.isEmpty || !resolvers.isEmpty { ProgramGroups.endWithProcess() }
        async let startedTransports = StartedPrograms<ExternalTransport>(transports)
        async let startedResolvers = StartedPrograms<ExternalResolver>(resolvers)
        let started = await (transports: startedTransports, resolvers: startedResolvers)
        loaded.transports = started.transports.backends
        loaded.resolvers = started.resolvers.backends
        do {
            for (program, fault) in started.transports.faults + started.resolvers.faults {
                try Self.report(fault, of: program, isNamed: search.programs.contains(program))
            }
            loaded.all = try build.adding(
                transports: loaded.transports, resolvers: loaded.resolvers,
                exemptions: Self.exemptions(beside: transports + resolvers))
            return loaded
        } catch {
            await loaded.stop()
            throw error
        }
    }

    /// Rejects a program given by hand that has the name of a backend of the build, which must not silently replace it.
    private func refuseNames(of build: Backends, among programs: [ProgramSearch.Found]) throws(InputError) {
        for program in programs {
            let names =
                switch program.kind {
                case .transport: build.transports.map(\.name)
                case .resolver: build.resolvers.map(\.name)
                }
            guard !names.contains(program.name) else {
                throw InputError(
                    "'\(program.path)' has the name of a \(program.kind.rawValue) of this build",
                    remedy: "give it a name of its own: probe-\(program.kind.rawValue)-NAME")
            }
        }
    }

    /// A program that is asked for by name, and only has to be built.
    private func refuseUnbuilt(
        _ choice: BackendChoice, _ kind: ProgramKind, _ search: ProgramSearch, _ build: [String]
    ) throws(InputError) {
        for name in choice.names where !build.contains(name) && search.program(kind, name) == nil {
            guard let folder = search.unbuiltFolder(of: name) else { continue }
            throw InputError(
                "the \(kind.rawValue) '\(name)' in \(folder) is not built",
                remedy: "run 'make -C \(folder)', or 'make plugins' for all")
        }
    }

    private func programs(
        _ kind: ProgramKind, _ choice: BackendChoice, _ search: ProgramSearch, _ build: [String]
    ) -> [ProgramSearch.Found] {
        var found = choice.isAll ? search.named.filter { $0.kind == kind } : []
        for name in choice.names where !build.contains(name) {
            if let program = search.program(kind, name), !found.contains(program) { found.append(program) }
        }
        return found
    }

    /// Returns the files in which the programs' authors list known differences.
    private static func exemptions(beside programs: [ProgramSearch.Found]) -> [String] {
        let files = programs.map {
            URL(filePath: $0.path).resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "exemptions.json").path
        }
        return Set(files).filter { FileManager.default.fileExists(atPath: $0) }.sorted()
    }

    /// Reports why a program can't be used: one that was only found in a folder fails its own probes, and the others
    /// are made.
    private static func report(
        _ fault: ProgramFault, of program: ProgramSearch.Found, isNamed: Bool
    ) throws(InputError) {
        let error = InputError(
            "'\(program.path)' is not a \(program.kind.rawValue) that can be used: \(fault)",
            remedy: "run it by itself and compare its replies with Plugins/PROTOCOL.md", source: .file)
        if isNamed { throw error }
        Terminal.printError("probe: \(PrintableText.escape("\(error)"))")
    }
}

/// A command that lets its user choose backends, those of other programs among them.
protocol SelectsBackends {
    var selection: BackendSelection { get }
}

/// Backends of which some are running programs: the caller that loads them ends them.
final class LoadedBackends {
    var all = Backends.current
    var transports: [ExternalTransport] = []
    var resolvers: [ExternalResolver] = []

    /// True if it has no programs.
    var isEmpty: Bool { transports.isEmpty && resolvers.isEmpty }

    /// Lets the programs end, all at the same time.
    func stop() async {
        await withTaskGroup { group in
            for transport in transports { group.addTask { await transport.stop() } }
            for resolver in resolvers { group.addTask { await resolver.stop() } }
        }
    }
}

/// The backends in other programs.
struct PluginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A backend in a program of its own, probe-transport-NAME or probe-resolver-NAME; repeat it.",
            valueName: "program"), completion: .file())
    var plugin: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A folder with such programs, or with folders of them; repeat it. They belong to all; those of PATH are found by \
            name only.
            """, valueName: "folder"), completion: .directory)
    var pluginPath: [String] = []
}
