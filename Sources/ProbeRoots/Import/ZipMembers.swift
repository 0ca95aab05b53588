import ProbeKit
import ProbePacking

/// The files of a ZIP archive, like those of a Python wheel.
struct ZipMembers {
    private let bytes: [UInt8]
    private let archive: RootArchive

    init(_ bytes: [UInt8], _ archive: RootArchive) {
        self.bytes = bytes
        self.archive = archive
    }

    /// - Throws: ``InputError`` if the directory is broken, a file can't be unpacked, or one is there twice.
    func all() throws(InputError) -> [RootArchive.Member] {
        let directory: ZipDirectory
        do throws(ZipDirectory.Fault) { directory = try ZipDirectory(bytes) } catch { throw refusal(error, of: nil) }
        guard directory.entries.count <= RootArchive.maximumFiles else { throw archive.tooLarge() }
        if let name = directory.repeatedNames.min() {
            throw archive.error(
                "has \(PrintableText.escape(name)) twice, and readers differ on which counts",
                remedy: RootArchive.again)
        }
        var members: [RootArchive.Member] = []
        var room = RootArchive.maximumBytes
        for entry in directory.entries where !entry.name.hasSuffix("/") {
            do throws(ZipDirectory.Fault) {
                members.append(
                    RootArchive.Member(name: entry.name, bytes: try directory.content(of: entry, limit: room)))
            } catch {
                throw refusal(error, of: entry.name)
            }
            room -= entry.size
        }
        return members
    }

    private func refusal(_ fault: ZipDirectory.Fault, of name: String?) -> InputError {
        switch fault {
        case .zip64:
            archive.error(
                "is an archive in ZIP64, or its directory is broken",
                remedy: "unpack it and give the file with the certificates")
        case .unusual:
            archive.error(
                "has a \(PrintableText.escape(name ?? "")) that is encrypted or packed in an unusual way",
                remedy: "unpack it and give the file with the certificates")
        case .tooLarge: archive.tooLarge()
        case .spoiled:
            archive.error(
                "has a \(PrintableText.escape(name ?? "")) that can't be unpacked", remedy: RootArchive.again)
        case .noDirectory, .broken: archive.broken()
        }
    }
}
