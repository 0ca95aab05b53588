import ProbeKit

/// Files of certificates in forms that are not read, but recognised: another program writes them as PEM.
enum ForeignCertificates {
    /// A signed message of CMS as DER, like a `.p7b` (RFC 5652 section 3).
    case cms
    /// p11-kit's own text, whose `x-distrusted` marks what has PEM like an anchor.
    case p11Kit
    /// Certificates as DER, one behind the other, of which OpenSSL's own readers take the first.
    case concatenated

    /// The object identifier of signed data, at the beginning of a message.
    private static let signedData: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
    /// The first line of each object.
    private static let object = Array("[p11-kit-object-v1]".utf8)

    init?(_ bytes: [UInt8]) {
        if bytes.first == 0x30, bytes.prefix(32).firstRange(of: Self.signedData) != nil {
            self = .cms
        } else if Self.hasObject(bytes) {
            self = .p11Kit
        } else {
            return nil
        }
    }

    /// Looks for the brackets first: most files have none, and are long.
    private static func hasObject(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "[")) {
            rest = rest[start...]
            if rest.starts(with: object) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    func error(_ path: String) -> InputError {
        switch self {
        case .cms:
            InputError(
                "\(path) is a message of PKCS #7 with certificates in it",
                remedy: "write them as PEM with openssl pkcs7 -inform DER -print_certs -in FILE", source: .file)
        case .p11Kit:
            InputError(
                "\(path) is of p11-kit, which keeps distrusted certificates beside its anchors",
                remedy:
                    "write the anchors as PEM with trust extract --format=pem-bundle --filter=ca-anchors --purpose=server-auth FILE",
                source: .file)
        case .concatenated:
            InputError(
                "\(path) has several certificates as DER, one behind the other",
                remedy: "write them as PEM with openssl storeutl -certs FILE", source: .file)
        }
    }
}
