import Foundation
public import ProbeKit

/// The search for backends that are programs.
public struct ProgramSearch: Sendable {
    /// A program that was found.
    public struct Found: Hashable, Sendable {
        /// The kind of backend.
        public let kind: ProgramKind
        /// The name in the program's, which a user selects it by.
        public let name: String
        /// The program's path.
        public let path: String
    }

    /// The programs that were named, or that are in named folders: all of them belong to `all`.
    public let named: [Found]
    /// Those of them that were named one by one.
    public let programs: [Found]
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
        for folder in folders { named += try Self.programs(in: folder) }
        var unique: [Found] = []
        for found in named where !unique.contains(found) {
            if let other = unique.first(where: { ($0.kind, $0.name) == (found.kind, found.name) }) {
                throw InputError(
                    "\(other.path) and \(found.path) are one \(found.kind.rawValue) by their names",
                    remedy: "name one of them")
            }
            unique.append(found)
        }
        self.named = unique
        self.searchPath = searchPath
        self.folders = folders
    }

    /// Returns the program of a name: a named one, else the first on the search path.
    public func program(_ kind: ProgramKind, _ name: String) -> Found? {
        if let found = named.first(where: { $0.kind == kind && $0.name == name }) { return found }
        guard Self.isName(name) else { return nil }
        return searchPath.lazy.map { URL(filePath: $0).appending(path: kind.prefix + name).path }
            .first(where: Self.isProgram).map { Found(kind: kind, name: name, path: $0) }
    }

    /// The folder that a program of a name is built in, where it was not built: a folder of that name in one of the folders
    /// that were named.
    public func unbuiltFolder(of name: String) -> String? {
        guard Self.isName(name) else { return nil }
        return folders.lazy.map { URL(filePath: $0).appending(path: name).path }.first(where: Self.isBuilt)
    }

    /// Whether a folder has what a program is made from.
    private static func isBuilt(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: URL(filePath: folder).appending(path: "Makefile").path)
    }

    private static func program(_ path: String) throws(InputError) -> Found {
        guard let found = found(URL(filePath: path)) else {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            if !FileManager.default.fileExists(atPath: path), isBuilt(folder) {
                throw InputError(
                    "the plugin '\(path)' is not built", remedy: "run 'make -C \(folder)', or 'make plugins' for all")
            }
            throw InputError(
                "the plugin '\(path)' is not a program called probe-transport-NAME or probe-resolver-NAME",
                remedy:
                    "name an executable file; NAME has lower-case letters, digits and hyphens, does not start with one, and is not 'all'"
            )
        }
        return found
    }

    private static func programs(in folder: String) throws(InputError) -> [Found] {
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
        return (entries + below).compactMap(found).sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
    }

    private static func found(_ file: URL) -> Found? {
        for kind in ProgramKind.allCases where file.lastPathComponent.hasPrefix(kind.prefix) {
            let name = String(file.lastPathComponent.dropFirst(kind.prefix.count))
            guard isName(name), isProgram(file.path) else { return nil }
            return Found(kind: kind, name: name, path: file.standardizedFileURL.path)
        }
        return nil
    }

    private static func isName(_ name: String) -> Bool {
        // A command line would read these otherwise.
        guard name != "all", !name.hasPrefix("-") else { return false }
        return (1...32).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func isProgram(_ path: String) -> Bool {
        let manager = FileManager.default
        let type = try? manager.attributesOfItem(atPath: URL(filePath: path).resolvingSymlinksInPath().path)[.type]
        return type as? FileAttributeType == .typeRegular && manager.isExecutableFile(atPath: path)
    }
}
