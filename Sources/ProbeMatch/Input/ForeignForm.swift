import ProbePacking

/// Archives, stores, and ways to pack and encode that are not read here. Their content is not searched, and must not count as
/// passed over.
enum ForeignForm: String, CaseIterable {
    /// A ZIP archive (APPNOTE.TXT 4.3.7).
    case zip = "ZIP"
    /// A tar archive, with the mark of POSIX.1-1988 or GNU or, as of Unix V7, without.
    case tar
    /// A file of xz (The .xz File Format, 2.1.1.1).
    case xz
    /// A file of bzip2, which begins with its block size.
    case bzip2
    /// A signed message, which may have nothing but certificates (RFC 2315 section 7, RFC 5652 section 3).
    case message = "PKCS #7"
    /// A store of certificates and keys (RFC 7292 section 4).
    case pfx = "PKCS #12"
    /// A key store of Java's own form.
    case jks = "JKS"
    /// The same, of its cryptography extension.
    case jceks = "JCEKS"
    /// Blocks of PEM in two bytes a character.
    case utf16 = "UTF-16"

    /// Recognises a file by its beginning.
    init?(of bytes: [UInt8]) {
        guard let form = Self.allCases.first(where: { $0.recognises(bytes) }) else { return nil }
        self = form
    }

    private func recognises(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .zip: ZipDirectory.recognises(bytes)
        case .tar: TarHeader.recognises(bytes)
        case .xz: bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])
        case .bzip2:
            bytes.starts(with: Array("BZh".utf8)) && bytes.count > 9
                && bytes[4..<10].elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        case .message: DERElement.isSignedMessage(bytes[...])
        case .pfx: DERElement.isPFX(bytes[...])
        case .jks: Self.isKeyStore(bytes, [0xfe, 0xed, 0xfe, 0xed])
        case .jceks: Self.isKeyStore(bytes, [0xce, 0xce, 0xce, 0xce])
        case .utf16:
            Self.marks.contains { mark, unit in
                bytes.starts(with: mark)
                    && bytes.firstRange(of: PEMCertificates.begin.flatMap(unit), in: bytes.indices) != nil
            }
        }
    }

    /// The byte order marks of UTF-16, and a character of ASCII behind each.
    private static let marks: [(bytes: [UInt8], unit: @Sendable (UInt8) -> [UInt8])] = [
        ([0xff, 0xfe], { [$0, 0] }), ([0xfe, 0xff], { [0, $0] }),
    ]

    /// Returns true for a magic number with one of the two versions after it.
    private static func isKeyStore(_ bytes: [UInt8], _ magic: [UInt8]) -> Bool {
        [1, 2].contains { bytes.starts(with: magic + [0, 0, 0, $0]) }
    }

    /// Returns the fault of an input of this form.
    ///
    /// - Parameters:
    ///   - path: the input, `-` for standard input.
    ///   - name: its name in messages.
    func fault(of path: String, name: String) -> InputFault {
        let file = path == "-" ? "FILE" : path
        func store(_ command: String) -> InputFault {
            InputFault(
                "\(name) is a \(rawValue) file, whose certificates are not read here",
                remedy: "give them on standard input: \(command) \(file)")
        }
        return switch self {
        case .tar, .zip:
            InputFault(
                "\(name) is a \(rawValue) archive, which is not searched as it is",
                remedy: "unpack it and give the folder, or give its files on standard input, if they are of one form: "
                    + (self == .tar ? "tar -xOf \(file)" : "unzip -p \(file)"))
        case .xz, .bzip2:
            InputFault(
                "\(name) is packed with \(rawValue), which is not read here",
                remedy: "give what it unpacks to on standard input: \(rawValue) -dc \(file)")
        case .message: store("openssl pkcs7 -inform DER -print_certs -in")
        case .pfx: store("openssl pkcs12 -nokeys -in")
        case .jks: store("keytool -list -rfc -keystore")
        case .jceks: store("keytool -list -rfc -storetype JCEKS -keystore")
        case .utf16:
            InputFault(
                "\(name) is a text in \(rawValue), which is not read here",
                remedy: "give it in UTF-8 on standard input: iconv -f UTF-16 -t UTF-8 \(file)")
        }
    }
}
