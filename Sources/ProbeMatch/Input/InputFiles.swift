import Foundation
import ProbeKit

/// The files that inputs name: a folder stands for all files below it, in the order of their paths.
struct InputFiles {
    /// A file, and whether it was named itself: what a folder has beside certificates is passed over.
    struct File {
        let path: String
        let isNamed: Bool
    }

    /// - Parameter path: a file that the search writes, which is not searched.
    /// - Throws: `InputError` for an input that does not exist, or is that file.
    static func of(_ inputs: [String], leavingOut path: String?) throws(InputError) -> [File] {
        let own = path.flatMap { try? FileManager.default.attributesOfItem(atPath: target(of: $0)) }.flatMap(
            FileIdentity.init)
        var files: [File] = []
        for input in inputs {
            var isFolder: ObjCBool = false
            guard input != "-" else {
                files.append(File(path: input, isNamed: true))
                continue
            }
            guard unsafe FileManager.default.fileExists(atPath: input, isDirectory: &isFolder) else {
                throw InputError(
                    "\(input) can't be read: No such file", remedy: "check that the file exists and you may read it",
                    source: .file)
            }
            guard isFolder.boolValue else {
                let status = try? FileManager.default.attributesOfItem(atPath: target(of: input))
                guard own == nil || status.flatMap(FileIdentity.init) != own else {
                    throw InputError(
                        "\(input) is searched and written to", remedy: "name another file for what is found")
                }
                files.append(File(path: input, isNamed: true))
                continue
            }
            // Links are not followed: they could lead round in a circle.
            let found = FileManager.default.enumerator(atPath: input)
            var paths: [String] = []
            while let path = found?.nextObject() as? String {
                guard let status = found?.fileAttributes, status[.type] as? FileAttributeType == .typeRegular,
                    own == nil || FileIdentity(status) != own
                else { continue }
                paths.append(path)
            }
            let prefix = input.hasSuffix("/") ? input : input + "/"
            files += paths.sorted().map { File(path: prefix + $0, isNamed: false) }
        }
        return files
    }

    /// The path of the file itself, links followed.
    private static func target(of path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}

/// A file's identity, whatever its path.
private struct FileIdentity: Equatable {
    let volume: Int
    let number: Int

    init?(_ status: [FileAttributeKey: Any]) {
        guard let volume = (status[.systemNumber] as? NSNumber)?.intValue,
            let number = (status[.systemFileNumber] as? NSNumber)?.intValue
        else { return nil }
        (self.volume, self.number) = (volume, number)
    }
}
