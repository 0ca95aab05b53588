import ProbeKit

/// A link of an archive that leads to none of its files and folders.
struct DanglingLink {
    /// The path within the archive.
    let path: String
    let target: String

    /// The endings of key stores, which are stores by themselves.
    static let storeSuffixes: Set = ["jks", "p12", "pfx", "keystore", "truststore"]
    private static let certificateSuffixes: Set = ["pem", "crt", "cer", "der", "p7b", "p7c", "spc"]
    /// The names of a system's own store before their endings, on Debian, Fedora, FreeBSD, macOS, and in Java and certifi.
    private static let bundleNames: Set = [
        "ca-certificates", "ca-bundle", "tls-ca-bundle", "email-ca-bundle", "objsign-ca-bundle", "ca-root-nss", "cert",
        "certs", "cacert", "cacerts", "jssecacerts",
    ]

    /// True if its name is that of certificates.
    var isNamedAsCertificates: Bool {
        isNamedAsBundle || Self.certificateSuffixes.contains(suffix) || isNamedByHash
    }

    /// Returns true if it is another name for a part of a bundle beside it, as the links of a system's folder are.
    func isPart(of bundle: String) -> Bool {
        Self.folder(of: path) == Self.folder(of: bundle) && !isNamedAsBundle
    }

    /// Returns the error for one whose certificates are missing, under the archive's path.
    func error(in root: String) -> InputError {
        InputError(
            "\(root)\(PrintableText.escape(path)) is a link to \(PrintableText.escape(target)), which leads to no file in it",
            remedy: "make the archive with the files that its links lead to, or \(Fix.Step.chooseStoreByPath)",
            source: .file)
    }

    private var isNamedAsBundle: Bool {
        Self.bundleNames.contains(parts.first ?? "") && (suffix.isEmpty || Self.certificateSuffixes.contains(suffix))
            || Self.storeSuffixes.contains(suffix)
    }

    /// True for a name like `5ed36f99.0` (openssl-rehash(1)).
    private var isNamedByHash: Bool {
        parts.count == 2 && parts[0].utf8.count == 8 && parts[0].allSatisfy(\.isHexDigit)
            && parts[1].allSatisfy(\.isNumber)
    }

    /// The last name of the path in lowercase, between its dots.
    private var parts: [String] {
        Self.names(of: path).last?.lowercased().split(separator: ".").map(String.init) ?? []
    }

    private var suffix: String { parts.count > 1 ? parts.last ?? "" : "" }

    private static func folder(of path: String) -> [Substring] { names(of: path).dropLast() }

    private static func names(of path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
}
