import Foundation
import PackagePlugin

/// `swift package new-backend TransportFoo`: a package of its own for a backend, with its conformance test.
@main struct NewBackend: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let path = extractor.extractOption(named: "path").last
        guard extractor.extractFlag(named: "help") == 0 else { return print(Self.usage) }
        guard let name = extractor.remainingArguments.first, extractor.remainingArguments.count == 1 else {
            throw NewBackendError("name one backend.\n\(Self.usage)")
        }
        let backend = try BackendName(name)
        let root = context.package.directoryURL
        let folder = path.map { URL(filePath: $0, relativeTo: root) } ?? root.appending(path: "../\(name)")
        try write(PackageTemplate(backend, kit: root).files, to: folder.standardizedFileURL)
        print(
            """
            \(folder.standardizedFileURL.path) is a package with \(name) and its conformance test. Next:

              cd \(folder.standardizedFileURL.path)
              swift test
            """)
    }

    /// Writes the files without overwriting existing ones.
    private func write(_ files: [(path: String, text: String)], to folder: URL) throws {
        let manager = FileManager.default
        guard (try? manager.contentsOfDirectory(atPath: folder.path))?.isEmpty ?? true else {
            throw NewBackendError("\(folder.path) is there already; say where else with --path FOLDER")
        }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    private static let usage = """
        USAGE: swift package new-backend NAME [--path FOLDER]

        NAME is TransportFoo for a TLS stack or ResolverFoo for a DNS stack. The package is written to a folder of that name
        beside this one, or to FOLDER, which must not be there yet or be empty.
        """
}
