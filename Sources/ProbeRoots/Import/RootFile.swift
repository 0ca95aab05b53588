public import ProbeKit
import ProbePlatform
import ProbeTrust

/// Root stores as others keep them: PEM and DER, Java key stores, PKCS #12 without encryption, and folders of such files.
public enum RootFile: Sendable {
    /// The most files of a folder.
    private static let maximumFiles = 2000

    /// Reads every certificate of a file or of a folder's files, each once, as DER.
    ///
    /// - Throws: ``InputError`` naming the file.
    public static func certificates(of path: String) throws(InputError) -> [[UInt8]] {
        var isFolder = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, isFolder else { return unique(try file(path)) }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
            .filter { !$0.hasPrefix(".") }
        guard names.count <= maximumFiles else {
            throw InputError(
                "the folder \(path) has \(names.count) files", remedy: "name one of at most \(maximumFiles)",
                source: .file)
        }
        var certificates: [[UInt8]] = []
        for name in names {
            let inner = "\(path)/\(name)"
            var isInnerFolder = false
            _ = FileManager.default.fileExists(atPath: inner, isDirectory: &isInnerFolder)
            if !isInnerFolder { certificates += try file(inner) }
        }
        guard !certificates.isEmpty else {
            throw InputError("the folder \(path) is empty", remedy: "name one with certificates", source: .file)
        }
        return unique(certificates)
    }

    private static func file(_ path: String) throws(InputError) -> [[UInt8]] {
        let bytes = try InputFile.bytes(of: path, limit: CertificateFile.maximumBytes, kind: "root store")
        if JavaKeyStore.recognises(bytes) { return try JavaKeyStore.certificates(in: bytes, from: path) }
        if PKCS12Store.recognises(bytes) { return try PKCS12Store.certificates(in: bytes, from: path) }
        return try CertificateFile.read(bytes, from: path)
    }

    private static func unique(_ certificates: [[UInt8]]) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return certificates.filter { seen.insert($0).inserted }
    }
}
