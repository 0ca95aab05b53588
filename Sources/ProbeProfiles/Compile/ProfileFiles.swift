public import ProbeKit
import ProbePins
import ProbeRun
import ProbeTrust

/// The files that a profile names, read if they have the digests that the profile gives them.
public struct ProfileFiles: Sendable {
    private let folder: String
    private let digests: [String: PinDigest]
    private let isSigned: Bool

    /// The largest file of records that is read, in bytes.
    private static let maximumRecords = 1 << 20

    /// Creates the files of a profile.
    ///
    /// - Parameters:
    ///   - folder: where relative paths start.
    ///   - digests: the SHA-256 of files, by their paths as the profile has them.
    ///   - isSigned: whether a file without a digest is refused, since no signature covers it.
    public init(folder: String, digests: [String: PinDigest] = [:], isSigned: Bool = false) {
        self.folder = folder
        self.digests = digests
        self.isSigned = isSigned
    }

    /// Returns the certificates of a file, or of the PEM text in place of its path.
    ///
    /// - Throws: ``InputError`` naming the file.
    public func certificates(_ path: String) throws(InputError) -> [[UInt8]] {
        guard !Self.isInline(path) else {
            return try CertificateFile.read(Array(path.utf8), from: "the profile's inline PEM")
        }
        let bytes = try bytes(of: path, limit: CertificateFile.maximumBytes, kind: "certificate file")
        return try CertificateFile.read(bytes, from: RelativePath.resolve(path, in: folder))
    }

    /// Returns the bytes of a file of DNSSEC anchors.
    func bytes(of path: String) throws(InputError) -> [UInt8] {
        try bytes(of: path, limit: Self.maximumRecords, kind: "file of DS or DNSKEY records")
    }

    /// Returns the paths of an identity's files, from the working directory.
    func located(_ identity: IdentityFiles) -> IdentityFiles {
        identity.located { RelativePath.resolve($0, in: folder) }
    }

    /// Returns the files of a profile that a check would not use, with the reason; not those of identities, which are secret
    /// and often elsewhere.
    public func faults(of profile: Profile) -> [(path: String, error: InputError)] {
        func fault(_ path: String, _ read: () throws(InputError) -> some Any) -> (path: String, error: InputError)? {
            do throws(InputError) {
                _ = try read()
                return nil
            } catch {
                return (path, error)
            }
        }
        return profile.certificateFiles.compactMap { path in
            fault(path) { () throws(InputError) in try certificates(path) }
        } + profile.recordFiles.compactMap { path in fault(path) { () throws(InputError) in try bytes(of: path) } }
    }

    /// Returns the digest of a file's current content.
    public func digest(of path: String) throws(InputError) -> PinDigest {
        .sha256(
            of: try InputFile.bytes(
                of: RelativePath.resolve(path, in: folder), limit: CertificateFile.maximumBytes, kind: "file"))
    }

    /// Returns true if a value is a certificate itself and not the path of one.
    static func isInline(_ path: String) -> Bool { path.contains("-----BEGIN ") }

    /// Reads a file once: judging and using the bytes of separate reads could concern different content.
    private func bytes(of path: String, limit: Int, kind: String) throws(InputError) -> [UInt8] {
        let bytes = try InputFile.bytes(of: RelativePath.resolve(path, in: folder), limit: limit, kind: kind)
        let digest = PinDigest.sha256(of: bytes)
        guard let stated = digests[path] else {
            guard !isSigned else {
                throw InputError(
                    "the profile is signed, and its signature does not cover the file '\(path)' that it names",
                    remedy:
                        "add digests: {\"\(path)\": \"sha256:\(digest.hex)\"} to the profile and sign it again ('probe profile digests' prints the lines)",
                    source: .file)
            }
            return bytes
        }
        guard digest == stated else {
            throw InputError(
                "the file '\(path)' has the digest sha256:\(digest.hex), and the profile has sha256:\(stated.hex)",
                remedy: "restore the file, or update 'digests' if the change is meant", source: .file)
        }
        return bytes
    }
}

extension Profile {
    /// The files that the profile's checks read, each once, as the profile names them; those of identities are secret, and left
    /// out.
    public var files: [String] { (certificateFiles + recordFiles).unique }

    /// The files of certificates and keys that clients show, each once.
    public var identityFiles: [String] {
        var paths: [String] = []
        for demands in allDemands {
            _ = demands.clientIdentity?.located { path in
                paths.append(path)
                return path
            }
        }
        return paths.unique
    }

    fileprivate var certificateFiles: [String] {
        var paths: [String] = []
        for demands in allDemands {
            if case .files(let anchors)? = demands.anchors { paths += anchors }
        }
        paths += environments.flatMap(\.services).flatMap(\.certificates)
        return paths.filter { !ProfileFiles.isInline($0) }.unique
    }

    fileprivate var recordFiles: [String] {
        models.flatMap(\.dnssecAnchors).filter { !$0.contains(where: \.isWhitespace) }.unique
    }

    private var allDemands: [ConnectionDemands] {
        [defaults] + environments.flatMap { [$0.demands] + $0.services.map(\.demands) }
    }
}

extension [String] {
    /// Each text once, in the order of the first.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// Paths in a profile, which start at the profile's folder.
enum RelativePath {
    /// Returns a file's own path: one that a profile names is never standard input.
    static func resolve(_ path: String, in folder: String) -> String {
        if path == "-" { return "\(folder.isEmpty ? "." : folder)/-" }
        return path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}
