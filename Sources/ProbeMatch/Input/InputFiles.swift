import Foundation
import ProbeKit

/// The files that inputs name: a folder stands for all files below it, in the order of their paths.
struct InputFiles {
    /// A file, and whether it was named itself: what a folder has beside certificates is passed over.
    struct File {
        let path: String
        let isNamed: Bool
    }

    /// - Throws: `InputError` for an input that does not exist.
    static func of(_ inputs: [String]) throws(InputError) -> [File] {
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
                files.append(File(path: input, isNamed: true))
                continue
            }
            // Links are not followed: they could lead round in a circle.
            let found = FileManager.default.enumerator(atPath: input)
            var paths: [String] = []
            while let path = found?.nextObject() as? String {
                if found?.fileAttributes?[.type] as? FileAttributeType == .typeRegular { paths.append(path) }
            }
            let prefix = input.hasSuffix("/") ? input : input + "/"
            files += paths.sorted().map { File(path: prefix + $0, isNamed: false) }
        }
        return files
    }
}
