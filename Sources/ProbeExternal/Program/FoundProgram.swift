import Foundation
package import ProbeKit

extension ProgramSearch {
    /// A program that was found.
    public struct Found: Hashable, Sendable {
        /// The kind of backend.
        public let kind: ProgramKind
        /// The name in the program's, which a user selects it by.
        public let name: String
        /// The program's path.
        public let path: String
        /// The reason why it can't be started; nil if it can be tried.
        package let absence: BackendAbsence?

        /// Reads a file; nil for one that is not called like a program, and for a folder.
        init?(_ file: URL) {
            guard let (kind, name) = Self.parts(of: file), Self.isName(name) else { return nil }
            let (path, manager) = (file.standardizedFileURL.path, FileManager.default)
            if let target = try? manager.destinationOfSymbolicLink(atPath: path), !manager.fileExists(atPath: path) {
                absence = BackendAbsence(
                    reason: "\(path) is a link to \(target), which does not exist",
                    remedy: "create \(target), or remove the link")
            } else if !Self.isRegularFile(path) {
                return nil
            } else {
                absence =
                    manager.isExecutableFile(atPath: path)
                    ? nil : BackendAbsence(reason: "\(path) is not executable", remedy: "run 'chmod +x \(path)'")
            }
            (self.kind, self.name, self.path) = (kind, name, path)
        }

        /// Returns the reason why an executable file is not found by its name, which a person may take for one; nil for any other.
        /// A dot or a tilde belongs to sources and to copies that editors leave.
        static func misnaming(_ file: URL) -> InputError? {
            guard let (kind, name) = parts(of: file), !isName(name), isRegularFile(file.path),
                name.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }),
                FileManager.default.isExecutableFile(atPath: file.path)
            else { return nil }
            return InputError(
                "the \(kind.rawValue) '\(file.standardizedFileURL.path)' is not used, as its name can't be '\(name)'",
                remedy: "rename it: \(nameForm)")
        }

        /// The form of a name, for people.
        static let nameForm =
            "NAME has lower-case letters, digits and hyphens, at most 32, does not start with one, and is not 'all'"

        static func isName(_ name: String) -> Bool {
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

        private static func parts(of file: URL) -> (kind: ProgramKind, name: String)? {
            let text = file.lastPathComponent
            guard let kind = ProgramKind.allCases.first(where: { text.hasPrefix($0.prefix) }) else { return nil }
            return (kind, String(text.dropFirst(kind.prefix.count)))
        }

        private static func isRegularFile(_ path: String) -> Bool {
            let file = URL(filePath: path).resolvingSymlinksInPath().path
            let type = try? FileManager.default.attributesOfItem(atPath: file)[.type]
            return type as? FileAttributeType == .typeRegular
        }
    }
}
