public import ProbeKit
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
    /// - Throws: as ``read(_:only:)``; also if nothing is trusted.
    public static func certificates(of path: String, only part: String? = nil) throws(InputError) -> [[UInt8]] {
        let certificates = try read(path, only: part).certificates
        guard !certificates.isEmpty else {
            throw InputError(
                "\(path) has no certificate that is trusted for TLS servers",
                remedy: "give one with certificates that it does not reject", source: .file)
        }
        return certificates
    }

    /// Reads a file, or the files of a folder or an archive. Files that can't be certificates by their names and content are
    /// passed over there. The content may have rejected certificates alone, which are not trusted for being in another file.
    ///
    /// - Parameter part: the only files of folders and archives to take certificates from: those whose path has this in it.
    ///   What other files reject holds for these too.
    /// - Throws: ``InputError`` naming the file; also for a folder or an archive with more than one store, which would be made
    ///   one.
    public static func read(_ path: String, only part: String? = nil) throws(InputError) -> Content {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if exists, isFolder {
            return try content(of: try files(of: path), in: .folder(path), only: part)
        }
        let bytes = try InputFile.bytes(of: path, limit: maximumBytes, kind: "root store")
        if let members = try RootArchive.members(in: bytes, from: path) {
            return try content(of: members, in: .archive(path), only: part)
        }
        guard part == nil else {
            throw InputError("\(path) is a single file", remedy: "import it as a whole", source: .file)
        }
        let found = try content(of: bytes, from: path)
        return DistrustFolder.around(path).map { found.distrusted(by: $0, path) } ?? found
    }

    private static func content(
        of members: [RootArchive.Member], in place: RootPlace, only part: String?
    ) throws(InputError) -> Content {
        var collection = RootCollection()
        var dangling: [DanglingLink] = []
        var hasChosen = false
        for member in members.sorted(by: { $0.name < $1.name }) {
            let isChosen = part.map(member.name.contains) ?? true
            let distrust = place.distrust ?? DistrustFolder.above(member.name)
            guard isStore(member, isDistrusted: distrust != nil) else { continue }
            let path = place.root + PrintableText.escape(member.name)
            if let link = member.danglingLink {
                // What a missing file rejects would be trusted.
                if isChosen || distrust != nil { dangling.append(link) }
            } else if let distrust {
                hasChosen = hasChosen || isChosen
                collection.reject(try content(of: member.bytes, from: path).distrusted(by: distrust, path).rejected)
            } else if isChosen {
                hasChosen = true
                collection.add(try content(of: member.bytes, from: path), of: member.name)
            } else if hasTrustSettings(member.bytes), let found = try? content(of: member.bytes, from: path) {
                collection.reject(found.rejected.map(\.ofUnchosenFile))
            }
        }
        let stores = collection.stores
        let names = collection.bundlePaths
        // Which of several stores is meant comes first.
        if stores.count < 2, let link = dangling.first(where: { !names.contains(where: $0.isPart) }) {
            throw link.error(in: place.root)
        }
        guard hasChosen else {
            let which = part.map { " whose path has '\($0)' in it" } ?? ""
            throw InputError(
                "\(place) has no file with certificates\(which)", remedy: "name one that has them", source: .file)
        }
        guard stores.count < 2 else { throw place.error(stores) }
        return collection.content
    }

    /// Returns true for a file that is, or should be, certificates, as programs and texts beside them are not. Of distrusted
    /// ones none is passed over for its name.
    private static func isStore(_ file: RootArchive.Member, isDistrusted: Bool) -> Bool {
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
                || (isDistrusted || suffix.allSatisfy(\.isNumber)) && hasCertificates(file.bytes)
                // They distrust by issuer and serial number too, without a certificate.
                || isDistrusted && isOfP11Kit(file.bytes)
        }
    }

    /// Returns true for a file or a folder that listings leave out. In archives paths may begin with `./`.
    private static func isHidden(_ part: Substring) -> Bool { part.hasPrefix(".") && part != "." && part != ".." }

    private static func hasCertificates(_ bytes: [UInt8]) -> Bool {
        JavaKeyStore.recognises(bytes) || PKCS12Store.recognises(bytes)
            || CertificateFile.beginsWithCertificate(bytes)
            || String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----")
    }

    private static func isOfP11Kit(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("[p11-kit-object-v1]")
    }

    private static func hasTrustSettings(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("TRUSTED CERTIFICATE-----")
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
            rejected: entries.filter(\.isRejected).map {
                Rejected(certificate: $0.der, path: path, reason: .settings(line: $0.line))
            })
    }
}
