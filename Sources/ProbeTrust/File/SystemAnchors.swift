import FoundationEssentials

public import ProbeKit
extension TrustAnchors {
    /// Where systems keep their CA bundle, Debian's first.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// The system's anchors, from the first bundle there is.
    ///
    /// - Throws: ``InputError`` where there is none.
    public static func system() throws(InputError) -> TrustAnchors {
        guard let path = bundles.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw InputError(
                "this system has no CA bundle", remedy: "install ca-certificates or name your anchors with --ca",
                source: .file)
        }
        return TrustAnchors(name: path, certificates: try CertificateFile.read(path), isSystem: true)
    }

    /// The certificates of a PEM or DER file as anchors.
    ///
    /// - Throws: ``InputError`` naming the file.
    public static func file(_ path: String) throws(InputError) -> TrustAnchors {
        TrustAnchors(name: path, certificates: try CertificateFile.read(path))
    }
}
