import ProbePacking

/// Archives, and ways to pack that are not read here. What is in them is not searched, and must not count as passed over.
enum ForeignForm: String {
    /// A tar archive with the mark of POSIX.1-1988 or GNU.
    case tar
    /// A ZIP archive (APPNOTE.TXT 4.3.7).
    case zip = "ZIP"
    /// A file of xz (The .xz File Format, 2.1.1.1).
    case xz
    /// A file of bzip2, which begins with its block size.
    case bzip2

    private static let tarMark = 257..<263

    /// Recognises a file by its beginning.
    init?(of bytes: [UInt8]) {
        if ZipDirectory.recognises(bytes) {
            self = .zip
        } else if bytes.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) {
            self = .xz
        } else if bytes.starts(with: Array("BZh".utf8)), bytes.count > 9,
            bytes[4..<10].elementsEqual([0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        {
            self = .bzip2
        } else if bytes.count > Self.tarMark.upperBound, bytes[Self.tarMark].starts(with: "ustar".utf8),
            // A text may have the word at this place.
            bytes[262] == 0 || bytes[262] == 0x20, bytes[..<257].contains(0)
        {
            self = .tar
        } else {
            return nil
        }
    }

    /// Returns the fault of an input of this form.
    ///
    /// - Parameters:
    ///   - path: the input, `-` for standard input.
    ///   - name: its name in messages.
    func fault(of path: String, name: String) -> InputFault {
        let file = path == "-" ? "FILE" : path
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
        }
    }
}
