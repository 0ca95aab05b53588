import ProbeKit
import ProbePacking
import ProbePlatform

/// The files of an archive, in memory: wheels and other ZIP archives, source packages and other tar archives.
///
/// No path of an archive is ever opened or written. What archives of a kind that can't be read are is named.
struct RootArchive {
    /// One file.
    struct Member {
        /// The path within the archive.
        let name: String
        let bytes: [UInt8]
        /// The target of a link that leads to no file of the archive, and to no folder.
        var missing: String?

        /// The link, if it leads to none of them.
        var danglingLink: DanglingLink? { missing.map { DanglingLink(path: name, target: $0) } }
    }

    /// The most files.
    static let maximumFiles = 20_000
    /// The most bytes that all files unpack to.
    static let maximumBytes = 128 << 20

    let path: String

    /// Returns the files of an archive; nil if the bytes are not one.
    ///
    /// - Throws: ``InputError`` if it is broken, too large, or of a kind that can't be read.
    static func members(in bytes: [UInt8], from path: String) throws(InputError) -> [Member]? {
        let archive = RootArchive(path: path)
        if ZipDirectory.recognises(bytes) { return try ZipMembers(bytes, archive).all() }
        if let packing = Packing(of: bytes) ?? (bytes.starts(with: [0x1f, 0x8b]) ? .gzip : nil) {
            let unpacked = try archive.unpacked(bytes[...], packing)
            guard TarMembers.recognises(unpacked) else {
                throw archive.error("holds no tar archive", remedy: "unpack it with \(packing) -d and give the file")
            }
            return try TarMembers(unpacked, archive).all()
        }
        if TarMembers.recognises(bytes) { return try TarMembers(bytes, archive).all() }
        if bytes.starts(with: Array("!<arch>\n".utf8)) {
            throw archive.error(
                "is a Debian package, whose files are packed with xz, which is not read here",
                remedy: "unpack it with dpkg-deb -x \(path) FOLDER and give FOLDER/usr/share/ca-certificates")
        }
        for (magic, program) in foreign where bytes.starts(with: magic) {
            throw archive.error(
                "is packed with \(program), which is not read here",
                remedy: "unpack it with \(program) -d and give the file")
        }
        return nil
    }

    private static let foreign: [(magic: [UInt8], program: String)] = [
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz"), ([0x42, 0x5a, 0x68], "bzip2"),
    ]

    /// Returns the bytes of an archive that is packed as a whole.
    private func unpacked(_ packed: ArraySlice<UInt8>, _ packing: Packing) throws(InputError) -> [UInt8] {
        do throws(Unpacked.Failure) {
            return try Unpacked.bytes(packed, packing, limit: Self.maximumBytes)
        } catch {
            switch error {
            case .stream(let failure) where failure != .broken:
                throw self.error(
                    "is an archive \(failure)",
                    remedy: "unpack it and give the file with the certificates")
            case .stream: throw self.error("can't be unpacked", remedy: Self.again)
            case .tooLarge: throw tooLarge()
            }
        }
    }

    func tooLarge() -> InputError {
        error(
            "unpacks to more than \(Self.maximumFiles) files or \(Self.maximumBytes >> 20) MB",
            remedy: "unpack it and give the file with the certificates")
    }

    func broken() -> InputError { error("is a broken archive", remedy: Self.again) }

    func error(_ message: String, remedy: String) -> InputError {
        InputError("\(path) \(message)", remedy: remedy, source: .file)
    }

    static let again = "get the archive again"
}
