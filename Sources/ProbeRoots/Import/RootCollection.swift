/// The root stores among the files of a folder or an archive: a file of several certificates is one, and the files of one
/// certificate in a folder are one.
struct RootCollection {
    private var certificates: [[UInt8]] = []
    private var rejected: [RootFile.Rejected] = []
    /// The files of several certificates.
    private var bundles: [(path: String, certificates: Set<[UInt8]>)] = []
    /// The files of one.
    private var singles: [(path: String, certificate: [UInt8])] = []

    /// Adds a file's content.
    ///
    /// - Parameter path: the path of the file within the folder or the archive.
    mutating func add(_ found: RootFile.Content, of path: String) {
        certificates += found.certificates
        rejected += found.rejected
        guard let certificate = found.certificates.first else { return }
        if found.certificates.count + found.rejected.count > 1 {
            bundles.append((path, Set(found.certificates)))
        } else {
            singles.append((path, certificate))
        }
    }

    /// Adds certificates that no file of the collection makes trusted.
    mutating func reject(_ certificates: [RootFile.Rejected]) { rejected += certificates }

    /// The content of all files.
    var content: RootFile.Content { RootFile.Content(certificates, rejected: rejected) }

    /// The paths of the files of several certificates.
    var bundlePaths: [String] { bundles.map { $0.path } }

    /// A path of each store, in order; that of a folder ends with a slash. What is rejected is not a part of any.
    var stores: [String] {
        let refused = Set(rejected.map(\.certificate))
        // Another name of the same certificates is not another store.
        var paths: [Set<[UInt8]>: String] = [:]
        var bundled: Set<[UInt8]> = []
        for bundle in bundles {
            let trusted = bundle.certificates.subtracting(refused)
            bundled.formUnion(trusted)
            if !trusted.isEmpty, paths[trusted] == nil { paths[trusted] = bundle.path }
        }
        let folders = Dictionary(grouping: singles.filter { !refused.contains($0.certificate) }) {
            Self.folder(of: $0.path)
        }
        for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
            // A system keeps the certificates of its bundle one by one too, beside it or elsewhere.
            let others = files.filter { !bundled.contains($0.certificate) }
            let trusted = Set(files.map { $0.certificate })
            // OpenSSL's links by hash say nothing to people.
            guard let first = others.first(where: { !Self.isLinkByHash($0.path) }) ?? others.first,
                paths[trusted] == nil
            else { continue }
            paths[trusted] = others.count == files.count ? folder : first.path
        }
        return paths.values.sorted()
    }

    private static func isLinkByHash(_ path: String) -> Bool {
        path.split(separator: ".").last?.allSatisfy(\.isNumber) == true
    }

    /// Returns the folder of a file, with a slash at its end. In archives paths may begin with `./`.
    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast().filter { $0 != "." }
        return parts.isEmpty ? "./" : parts.joined(separator: "/") + "/"
    }
}
