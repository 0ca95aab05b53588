/// The root stores among the files of a folder or an archive: a file of several certificates is one, and the files of one
/// certificate in a folder are one.
struct RootCollection {
    private var certificates: [[UInt8]] = []
    private var rejected: [RootFile.Rejected] = []
    /// The paths of the files of several certificates by what is in them: another name of the same one is not another store.
    private var bundles: [[[UInt8]]: [String]] = [:]
    /// The certificates of the files of one, by folder.
    private var folders: [String: Set<[UInt8]>] = [:]

    /// Adds a file's content.
    ///
    /// - Parameter path: the path of the file within the folder or the archive.
    mutating func add(_ found: RootFile.Content, of path: String) {
        certificates += found.certificates
        rejected += found.rejected
        guard let certificate = found.certificates.first else { return }
        if found.certificates.count + found.rejected.count > 1 {
            bundles[found.certificates, default: []].append(path)
        } else {
            folders[Self.folder(of: path), default: []].insert(certificate)
        }
    }

    /// The content of all files.
    var content: RootFile.Content { RootFile.Content(certificates, rejected: rejected) }

    /// The paths of the files of several certificates.
    var bundlePaths: [String] { bundles.values.flatMap(\.self) }

    /// A path of each store, in order; that of a folder ends with a slash.
    var stores: [String] {
        let bundleFolders = Set(bundlePaths.map { Self.folder(of: $0) })
        let bundled = Set(bundles.keys.joined())
        var own: [Set<[UInt8]>: String] = [:]
        for (folder, certificates) in folders.sorted(by: { $0.key < $1.key }) {
            // A system keeps the certificates of its bundle one by one too, beside it or elsewhere.
            let isPart = bundleFolders.contains(folder) || certificates.isSubset(of: bundled)
            if !isPart, own[certificates] == nil { own[certificates] = folder }
        }
        return (bundles.values.compactMap(\.first) + own.values).sorted()
    }

    /// Returns the folder of a file, with a slash at its end. In archives paths may begin with `./`.
    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast().filter { $0 != "." }
        return parts.isEmpty ? "./" : parts.joined(separator: "/") + "/"
    }
}
