import Foundation
import ProbeKit
import ProbePlatform

/// The files that inputs name: a folder stands for all files below it, in the order of their paths.
struct InputFiles {
    /// A file. One that was not named itself is passed over if it has no certificates: a folder may have any.
    struct File {
        let path: String
        let isNamed: Bool
    }

    private(set) var files: [File] = []
    /// The inputs, and folders and files below one, that can't be looked at.
    private(set) var faults: [InputError] = []
    /// The file that the search writes.
    private let own: FileStatus.Identity?

    /// - Parameter written: what the search is written to, which is not searched if it is a file.
    /// - Throws: `InputError` for an input that is that file.
    init(_ inputs: [String], leavingOut written: FileStatus?) throws(InputError) {
        own = written.flatMap { $0.isFile ? $0.identity : nil }
        for input in inputs {
            guard input != "-" else {
                guard own == nil || FileStatus(descriptor: STDIN_FILENO)?.identity != own else {
                    throw Self.written("standard input")
                }
                files.append(File(path: input, isNamed: true))
                continue
            }
            guard !input.isEmpty else {
                faults.append(
                    InputError(
                        "the name of an input is empty", remedy: "check the variable that it comes from", source: .file)
                )
                continue
            }
            guard let status = FileStatus(at: input) else {
                faults.append(Self.unreadable(input, errno))
                continue
            }
            if status.isFolder {
                add(folder: input.hasSuffix("/") ? input : input + "/")
            } else if own != nil, status.identity == own {
                throw Self.written(input)
            } else {
                files.append(File(path: input, isNamed: true))
            }
        }
    }

    /// Adds the files below a folder. A link to a file is followed, unless the folder has the file itself or another link to
    /// it before; one to a folder is not, since it could lead round in a circle.
    private mutating func add(folder: String) {
        var folders = [folder]
        var found: [(path: String, identity: FileStatus.Identity)] = []
        var links = found
        while let folder = folders.popLast() {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder)
            } catch {
                faults.append(Self.unreadable(folder, Self.reason(of: error)))
                continue
            }
            for name in names {
                let path = folder + name
                guard let status = FileStatus(of: path) else {
                    faults.append(InputFile.unreadable(listed: path, errno))
                    continue
                }
                if status.isFolder {
                    folders.append(path + "/")
                } else if status.isFile {
                    found.append((path, status.identity))
                } else if let target = FileStatus(at: path), target.isFile {
                    links.append((path, target.identity))
                }
            }
        }
        if !links.isEmpty {
            var seen = Set(found.map(\.identity))
            found += links.sorted { Self.areInOrder($0.path, $1.path) }.filter { seen.insert($0.identity).inserted }
        }
        files += found.filter { own == nil || $0.identity != own }.map(\.path).sorted(by: Self.areInOrder)
            .map { File(path: $0, isNamed: false) }
    }

    /// Compares paths as the system does, by their bytes, so that no two files have the same place.
    private static func areInOrder(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the system's number for an error of Foundation's; EIO if it has none.
    static func reason(of error: any Error) -> CInt {
        let cause = (error as? CocoaError)?.underlying ?? error
        return (cause as? POSIXError)?.code.rawValue ?? EIO
    }

    private static func written(_ input: String) -> InputError {
        InputError("\(input) is searched and written to", remedy: "name another file for what is found")
    }

    private static func unreadable(_ path: String, _ reason: CInt) -> InputError {
        InputError(
            "\(PrintableText.escape(path)) can't be read: \(unsafe String(cString: strerror(reason)))",
            remedy: "check that it exists and you may read it", source: .file)
    }
}
