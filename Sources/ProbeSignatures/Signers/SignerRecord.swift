public import ProbeKit
import ProbeTrust

/// A trusted signer as written in a file: every field is text.
///
///     {"name": "manifests", "certificate": "ca.pem", "commonName": ".example.com",
///      "subjectKeyIdentifier": "041454ADFAC79257AECA359C2E12FBE4BA5D20DC9457", "rootSerial": "10003001"}
public struct SignerRecord: Hashable, Sendable, Codable {
    /// The name for reports.
    public var name: String
    /// The certificates the signer's chain may end in: PEM text, or the path of a PEM or DER file, relative to the folder of
    /// whatever names it.
    public var certificate: String
    /// The common name of the signing certificate, or a domain that begins with a dot for the names below it.
    public var commonName: String?
    /// The signing certificate's authority key identifier, hexadecimal.
    public var authorityKeyIdentifier: String?
    /// The root's subject key identifier, hexadecimal, with or without its DER header `0414`.
    public var subjectKeyIdentifier: String?
    /// The root's serial number, decimal.
    public var rootSerial: String?

    /// The keys of a record.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The fields of a record, by their names.
        case name, certificate, commonName, authorityKeyIdentifier, subjectKeyIdentifier, rootSerial
    }

    /// Creates a record.
    public init(
        name: String, certificate: String, commonName: String? = nil, authorityKeyIdentifier: String? = nil,
        subjectKeyIdentifier: String? = nil, rootSerial: String? = nil
    ) {
        self.name = name
        self.certificate = certificate
        self.commonName = commonName
        self.authorityKeyIdentifier = authorityKeyIdentifier
        self.subjectKeyIdentifier = subjectKeyIdentifier
        self.rootSerial = rootSerial
    }

    /// Reads a record, whose keys all have to be known. A serial number may be a number instead of text.
    public init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: AnyKey.self)
        let known = CodingKeys.allCases.map(\.rawValue)
        for key in all.allKeys where !known.contains(key.stringValue) {
            let hint = NearestWord.question(for: key.stringValue, among: known).map { "; \($0)" } ?? ""
            throw DecodingError.dataCorruptedError(
                forKey: key, in: all, debugDescription: "'\(key.stringValue)' is not a key of a signer\(hint)")
        }
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        certificate = try fields.decode(String.self, forKey: .certificate)
        commonName = try fields.decodeIfPresent(String.self, forKey: .commonName)
        authorityKeyIdentifier = try fields.decodeIfPresent(String.self, forKey: .authorityKeyIdentifier)
        subjectKeyIdentifier = try fields.decodeIfPresent(String.self, forKey: .subjectKeyIdentifier)
        if let number = try? fields.decodeIfPresent(UInt64.self, forKey: .rootSerial) {
            rootSerial = "\(number)"
        } else {
            rootSerial = try fields.decodeIfPresent(String.self, forKey: .rootSerial)
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Returns the signer this describes.
    ///
    /// - Parameter folder: the base of relative paths; empty for the working directory.
    /// - Throws: `InputError` naming the signer and the unreadable part.
    public func signer(in folder: String) throws(InputError) -> TrustedSigner {
        guard !name.isEmpty else {
            throw InputError("a signer has an empty name", remedy: "give each a name", source: .file)
        }
        do throws(InputError) {
            return TrustedSigner(
                name: name, certificates: try certificates(in: folder),
                commonName: try Self.optional(commonName) { text throws(InputError) in
                    try TrustedSigner.CommonNameRule(text)
                },
                authorityKeyIdentifier: try Self.optional(authorityKeyIdentifier) { text throws(InputError) in
                    try TrustedSigner.KeyIdentifier(hex: text)
                },
                subjectKeyIdentifier: try Self.optional(subjectKeyIdentifier) { text throws(InputError) in
                    try TrustedSigner.KeyIdentifier(hex: text)
                },
                rootSerial: try Self.optional(rootSerial) { text throws(InputError) in
                    try TrustedSigner.SerialNumber(decimal: text)
                }
            )
        } catch {
            throw InputError("signer '\(name)': \(error.message)", remedy: error.remedy, source: .file)
        }
    }

    private func certificates(in folder: String) throws(InputError) -> [[UInt8]] {
        guard !certificate.contains("-----BEGIN") else {
            return try CertificateFile.certificates(in: Array(certificate.utf8), from: "its certificate")
        }
        let isAbsolute = certificate.hasPrefix("/") || folder.isEmpty
        return try CertificateFile.read(isAbsolute ? certificate : "\(folder)/\(certificate)")
    }

    private static func optional<Value>(
        _ text: String?, _ read: (String) throws(InputError) -> Value
    ) throws(InputError) -> Value? {
        guard let text else { return nil }
        return try read(text)
    }
}
