public import ProbeKit
import ProbePlatform

extension TrustAnchors {
    /// The paths of systems' CA bundles, Debian's first.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// Returns the system's anchors, from the first bundle that exists.
    ///
    /// - Throws: `InputError` if there is none.
    public static func system() throws(InputError) -> TrustAnchors {
        guard let path = bundles.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw InputError(
                "this system has no CA bundle", remedy: "install ca-certificates or \(Fix.Step.giveAnchor)",
                source: .file)
        }
        return TrustAnchors(name: path, certificates: try CertificateFile.read(path), isSystem: true)
    }

    /// Returns the certificates of a PEM or DER file as anchors.
    ///
    /// - Throws: `InputError` naming the file.
    public static func file(_ path: String) throws(InputError) -> TrustAnchors {
        TrustAnchors(name: path, certificates: try CertificateFile.read(path))
    }
}
