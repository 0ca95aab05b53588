public import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTrust

/// Root stores as others keep them: PEM and DER, Java key stores, PKCS #12 without encryption, and folders and archives of
/// such files, at any depth.
public enum RootFile: Sendable {
    /// The most files of a folder, and the most bytes of all of them.
    private static let (maximumFiles, maximumBytes) = (20_000, 128 << 20)

    /// Reads every certificate of a file, or of the files of a folder or an archive, each once, as DER.
    ///
    /// - Parameter part: as for ``read(_:only:)``.
    /// - Throws: as ``read(_:only:)``.
    public static func certificates(of path: String, only part: String? = nil) throws(InputError) -> [[UInt8]] {
        try read(path, only: part).certificates
    }

    /// Reads a file, or the files of a folder or an archive. Files that can't be certificates by their names and content are
    /// passed over there.
    ///
    /// - Parameter part: the only files of folders and archives to read: those whose path has this in it.
    /// - Throws: ``InputError`` naming the file; also if nothing is trusted, and for a folder or an archive with more than one
    ///   store, which would be made one.
    public static func read(_ path: String, only part: String? = nil) throws(InputError) -> Content {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if exists, isFolder {
            return try content(of: try files(of: path), in: "the folder \(path)", root: path + "/", only: part)
        }
        let bytes = try InputFile.bytes(of: path, limit: maximumBytes, kind: "root store")
        if let members = try RootArchive.members(in: bytes, from: path) {
            return try content(of: members, in: "the archive \(path)", root: path + ":", only: part)
        }
        guard part == nil else {
            throw InputError("\(path) is a single file", remedy: "import it as a whole", source: .file)
        }
        let found = try content(of: bytes, from: path)
        guard !found.certificates.isEmpty else { throw untrusted(path) }
        return found
    }

    private static func content(
        of members: [RootArchive.Member], in place: String, root: String, only part: String?
    ) throws(InputError) -> Content {
        var collection = RootCollection()
        var dangling: [DanglingLink] = []
        for member in members.sorted(by: { $0.name < $1.name }) {
            guard part.map(member.name.contains) ?? true, isStore(member) else { continue }
            if let link = member.danglingLink {
                dangling.append(link)
                continue
            }
            let found = try content(of: member.bytes, from: root + PrintableText.escape(member.name))
            if let folder = distrust(in: member.name), part?.contains(folder) != true {
                throw InputError(
                    "\(root)\(PrintableText.escape(member.name)) is in '\(folder)', which has what is not to be trusted",
                    remedy: "choose the trusted ones by a part of their path", source: .file)
            }
            collection.add(found, of: member.name)
        }
        let (all, stores) = (collection.content, collection.stores)
        let names = collection.bundlePaths
        // Which of several stores is meant comes first.
        if stores.count < 2, let link = dangling.first(where: { !names.contains(where: $0.isPart) }) {
            throw link.error(in: root)
        }
        guard !all.certificates.isEmpty else {
            guard all.rejected.isEmpty else { throw untrusted(place) }
            let which = part.map { " whose path has '\($0)' in it" } ?? ""
            throw InputError(
                "\(place) has no file with certificates\(which)", remedy: "name one that has them", source: .file)
        }
        guard stores.count < 2 else {
            let shown = stores.prefix(8).map { PrintableText.escape($0) }
            throw InputError(
                "\(place) has \(stores.count) root stores: \(shown.joined(separator: ", "))",
                remedy: "choose one by a part of its path, or name the files that belong together", source: .file)
        }
        return all
    }

    private static func untrusted(_ place: String) -> InputError {
        InputError(
            "\(place) has no certificate that is trusted for TLS servers",
            remedy: "give one that its trust settings do not reject", source: .file)
    }

    /// The folders of distrusted certificates beside those of anchors: p11-kit's, Apple's and Android's.
    private static let distrusted: Set<String> = [
        "blocklist", "blacklist", "blocked", "distrusted", "removed", "revoked", "cacerts-removed",
    ]

    /// Returns the folder in a file's path that makes it distrusted.
    private static func distrust(in name: String) -> String? {
        name.split(separator: "/").dropLast().map(String.init).first { distrusted.contains($0.lowercased()) }
    }

    /// Returns true for a file that is, or should be, certificates, as programs and texts beside them are not.
    private static func isStore(_ file: RootArchive.Member) -> Bool {
        let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
        guard !file.name.split(separator: "/").contains(where: isHidden) else { return false }
        if let link = file.danglingLink { return link.isNamedAsCertificates }
        let suffix = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        switch suffix {
        // Keys and requests are kept as PEM too.
        case "pem", "": return hasCertificates(file.bytes)
        case "crt", "cer", "der", "p7b", "p7c", "spc": return true
        default:
            return DanglingLink.storeSuffixes.contains(suffix)
                || suffix.allSatisfy(\.isNumber) && hasCertificates(file.bytes)
        }
    }

    /// Returns true for a file or a folder that listings leave out. In archives paths may begin with `./`.
    private static func isHidden(_ part: Substring) -> Bool { part.hasPrefix(".") && part != "." && part != ".." }

    private static func hasCertificates(_ bytes: [UInt8]) -> Bool {
        JavaKeyStore.recognises(bytes) || PKCS12Store.recognises(bytes)
            || (try? CertificateSlices(certificate: bytes.span)) != nil || CertificateFile.isConcatenated(bytes)
            || String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----")
    }

    private static func files(of folder: String) throws(InputError) -> [RootArchive.Member] {
        var members: [RootArchive.Member] = []
        var (files, bytes) = (0, 0)
        var folders = [""]
        while let inner = folders.popLast() {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(inner)") else {
                throw InputError(
                    "the folder \(folder)/\(PrintableText.escape(inner)) can't be read",
                    remedy: "check your rights to it, or name the files", source: .file)
            }
            for name in names where !isHidden(name[...]) {
                files += 1
                guard files <= maximumFiles, bytes <= maximumBytes else {
                    throw InputError(
                        "the folder \(folder) has more than \(maximumFiles) files or \(maximumBytes >> 20) MB",
                        remedy: "name the one with the certificates", source: .file)
                }
                let path = "\(folder)/\(inner)\(name)"
                guard FileStatus(of: path) != nil else { throw InputFile.unreadable(listed: path, errno) }
                var isFolder = false
                _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
                if isFolder {
                    // A link to a folder may lead back to this one.
                    if type == .typeDirectory { folders.append("\(inner)\(name)/") }
                    continue
                }
                guard type == .typeRegular || type == .typeSymbolicLink else { continue }
                let content = try InputFile.bytes(of: path, limit: CertificateFile.maximumBytes, kind: "root store")
                bytes += content.count
                members.append(.init(name: inner + name, bytes: content))
            }
        }
        return members
    }

    private static func content(of bytes: [UInt8], from path: String) throws(InputError) -> Content {
        if JavaKeyStore.recognises(bytes) { return Content(try JavaKeyStore.certificates(in: bytes, from: path)) }
        if PKCS12Store.recognises(bytes) { return Content(try PKCS12Store.certificates(in: bytes, from: path)) }
        let entries = try CertificateFile.entries(of: bytes, from: path)
        return Content(
            entries.map(\.der),
            rejected: entries.filter(\.isRejected).map { Rejected(certificate: $0.der, path: path, line: $0.line) })
    }
}
