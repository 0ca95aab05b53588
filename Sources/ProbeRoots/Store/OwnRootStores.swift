public import ProbeKit
import ProbePlatform
import ProbeTrust

/// The root stores that a user imported: a folder of files like `acme@2024-05-01.pem`.
public struct OwnRootStores: Sendable {
    /// The folder.
    public let folder: String

    /// Creates the stores of a folder, which need not exist.
    public init(folder: String) {
        self.folder = folder
    }

    /// The user's own: `$XDG_DATA_HOME/probe/roots`, or `~/.local/share/probe/roots` if that variable is not an absolute
    /// path; nil if the environment names neither.
    public static var standard: OwnRootStores? {
        let environment = ProcessInfo.processInfo.environment
        for (variable, rest) in [("XDG_DATA_HOME", ""), ("HOME", "/.local/share")] {
            if let folder = environment[variable], folder.hasPrefix("/") {
                return OwnRootStores(folder: "\(folder)\(rest)/probe/roots")
            }
        }
        return nil
    }

    /// The snapshots that are there.
    ///
    /// - Throws: ``InputError`` if the folder is there and can't be listed: the one store that refuses may be in it.
    func headings() throws(InputError) -> [RootSnapshotHeading] {
        let files: [String]
        do {
            files = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // A folder of somebody else's home, or a link to what is not mounted, may have stores.
            var status = stat()
            if unsafe lstat(folder, &status) != 0, errno == ENOENT || errno == ENOTDIR { return [] }
            throw InputError(
                "the root stores in \(folder) can't be listed: \(SystemError.words(of: error))",
                remedy: "make it a folder that you may read, or set XDG_DATA_HOME to another", source: .file)
        }
        return files.sorted().compactMap { file in
            guard let match = file.wholeMatch(of: #/([a-z0-9][a-z0-9.-]*)@(\d{4}-\d\d-\d\d)\.pem/#) else { return nil }
            return RootSnapshotHeading(
                store: String(match.1), day: String(match.2), licence: "",
                origin: path(String(match.1), String(match.2)))
        }
    }

    func snapshot(_ heading: RootSnapshotHeading) throws(InputError) -> RootSnapshot {
        RootSnapshot(
            store: heading.store, day: heading.day, origin: heading.origin, licence: "",
            certificates: try CertificateFile.read(heading.origin))
    }

    /// Keeps certificates as the snapshot of a store; one of the same day is replaced.
    ///
    /// - Returns: the file.
    /// - Throws: ``InputError`` if it can't be written.
    public func keep(_ certificates: [[UInt8]], store: String, day: String) throws(InputError) -> String {
        let snapshot = try draft(certificates, store: store, day: day)
        do {
            try Data(snapshot.bytes).write(to: URL(filePath: snapshot.path), options: .atomic)
        } catch {
            throw Self.unwritable(snapshot.path, error)
        }
        return snapshot.path
    }

    /// Makes the folder for the snapshot of a store.
    ///
    /// - Returns: the file that is to be written, and its content.
    /// - Throws: ``InputError`` if the folder can't be made.
    package func draft(
        _ certificates: [[UInt8]], store: String, day: String
    ) throws(InputError) -> (path: String, bytes: [UInt8]) {
        let path = path(store, day)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Self.unwritable(path, error)
        }
        return (path, Array(certificates.map(CertificateFile.pem).joined().utf8))
    }

    private static func unwritable(_ path: String, _ error: any Error) -> InputError {
        InputError(
            "\(path) can't be written: \(SystemError.words(of: error))",
            remedy: "make the folder one that you may write to, with room on its disk", source: .file)
    }

    private func path(_ store: String, _ day: String) -> String { "\(folder)/\(store)@\(day).pem" }
}
