import Foundation
public import ProbeKit

/// The search for backends that are programs.
public struct ProgramSearch: Sendable {
    /// The programs that were named, or that are in named folders: all of them belong to `all`.
    public let named: [Found]
    /// Those of them that were named one by one.
    public let programs: [Found]
    /// The useless things in the named folders, with the remedy: a program by a name that none has, and a folder without any.
    package let unused: [InputError]
    private let searchPath: [String]
    private let folders: [String]

    /// Looks for programs.
    ///
    /// - Parameters:
    ///   - programs: paths of single programs.
    ///   - folders: folders with programs in them, or in the folders right below.
    ///   - searchPath: folders in which programs are found by name, like those of `PATH`.
    /// - Throws: ``InputError`` naming a path that is not a program or folder, or two programs with the same name.
    public init(programs: [String] = [], folders: [String] = [], searchPath: [String] = []) throws(InputError) {
        var named: [Found] = []
        for path in programs { named.append(try Self.program(path)) }
        self.programs = named
        var unused: [InputError] = []
        for folder in folders {
            let files = try Self.files(in: folder)
            let found = files.compactMap(Found.init)
            let misnamed = files.compactMap(Found.misnaming)
            named += found.sorted { ($0.kind.rawValue, $0.name, $0.path) < ($1.kind.rawValue, $1.name, $1.path) }
            unused += misnamed.sorted { $0.message < $1.message }
            guard found.isEmpty && misnamed.isEmpty else { continue }
            unused.append(
                InputError(
                    "the folder of plugins '\(folder)' has no program",
                    remedy:
                        "build what is in it, or name a folder with files called probe-transport-NAME or probe-resolver-NAME"
                ))
        }
        self.unused = unused
        self.named = try Self.unique(named)
        self.searchPath = searchPath
        self.folders = folders
    }

    /// Returns the programs without those that are there twice.
    ///
    /// - Throws: ``InputError`` for two with the same name, unless one of them can't be started.
    private static func unique(_ named: [Found]) throws(InputError) -> [Found] {
        var unique: [Found] = []
        for found in named where !unique.contains(found) {
            guard let place = unique.firstIndex(where: { ($0.kind, $0.name) == (found.kind, found.name) }) else {
                unique.append(found)
                continue
            }
            if found.absence != nil { continue }
            guard unique[place].absence != nil else {
                throw InputError(
                    "\(unique[place].path) and \(found.path) are one \(found.kind.rawValue) by their names",
                    remedy: "name one of them")
            }
            unique[place] = found
        }
        return unique
    }

    /// Returns the program of a name: a named one, else the first on the search path that can be started, else the first.
    public func program(_ kind: ProgramKind, _ name: String) -> Found? {
        if let found = named.first(where: { $0.kind == kind && $0.name == name }) { return found }
        guard Found.isName(name) else { return nil }
        let found = searchPath.compactMap { Found(URL(filePath: $0).appending(path: kind.prefix + name)) }
        return found.first { $0.absence == nil } ?? found.first
    }

    /// The folder that a program of a name is built in, where it was not built: a folder of that name in one of the folders
    /// that were named.
    public func unbuiltFolder(of name: String) -> String? {
        guard Found.isName(name) else { return nil }
        return folders.lazy.map { URL(filePath: $0).appending(path: name).path }.first(where: Self.isBuilt)
    }

    /// Returns true if a folder has the sources of a program, and how to build it.
    private static func isBuilt(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: URL(filePath: folder).appending(path: "Makefile").path)
    }

    private static func program(_ path: String) throws(InputError) -> Found {
        guard let found = Found(URL(filePath: path)) else {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            if !FileManager.default.fileExists(atPath: path), isBuilt(folder) {
                throw InputError(
                    "the plugin '\(path)' is not built", remedy: "run 'make -C \(folder)', or 'make plugins' for all")
            }
            throw InputError(
                "the plugin '\(path)' is not a program called probe-transport-NAME or probe-resolver-NAME",
                remedy: "name an executable file; \(Found.nameForm)")
        }
        if let absence = found.absence {
            throw InputError("the plugin '\(path)' can't be started: \(absence.reason)", remedy: absence.remedy)
        }
        return found
    }

    /// Returns what is in a folder, and in those right below.
    private static func files(in folder: String) throws(InputError) -> [URL] {
        let manager = FileManager.default
        let top = URL(filePath: folder)
        var isFolder: ObjCBool = false
        guard unsafe manager.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue,
            let entries = try? manager.contentsOfDirectory(at: top, includingPropertiesForKeys: nil)
        else {
            throw InputError(
                "the folder of plugins '\(folder)' can't be read",
                remedy: "name a folder with programs, or with folders of them")
        }
        let below = entries.flatMap {
            (try? manager.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
        }
        return entries + below
    }
}
