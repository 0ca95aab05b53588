import ProbeKit
import ProbePacking

/// The files of an app by their names, each of which has to be there once.
struct ZipArchive {
    private let input: FormatInput
    private let directory: ZipDirectory
    private let entries: [String: ZipDirectory.Entry]
    private let repeated: Set<String>
    /// The names, in the order of the directory.
    let names: [String]

    /// - Throws: ``InputError`` if the directory is broken.
    init(_ input: FormatInput) throws(InputError) {
        self.input = input
        do throws(ZipDirectory.Fault) { directory = try ZipDirectory(input.bytes) } catch {
            throw switch error {
            case .zip64:
                input.refuse(
                    "is an archive in ZIP64, or its directory is broken",
                    remedy: "unpack it and give the file with the pins")
            case .noDirectory:
                input.refuse("is a broken archive: it has no directory", remedy: "build the app again")
            case .broken, .unusual, .tooLarge, .spoiled:
                input.refuse("is an archive whose directory is broken", remedy: "build the app again")
            }
        }
        // Apple's file system takes two spellings of a letter for one name, as strings do: of an app those count as one, too.
        entries = Dictionary(directory.entries.map { ($0.name, $0) }) { first, _ in first }
        var (names, seen, repeated) = ([String](), Set<String>(), Set<String>())
        for name in directory.entries.map(\.name) {
            if seen.insert(name).inserted { names.append(name) } else { repeated.insert(name) }
        }
        (self.names, self.repeated) = (names, repeated)
    }

    func has(_ name: String) -> Bool { entries[name] != nil }

    /// Returns a file, unpacked.
    ///
    /// - Throws: ``InputError`` if it is not there, larger than `limit`, broken, or there twice.
    func file(_ name: String, limit: Int) throws(InputError) -> [UInt8] {
        guard let entry = entries[name] else {
            throw input.refuse("has no \(name)", remedy: "give the app as it is shipped")
        }
        guard !repeated.contains(name) else {
            throw input.refuse("has \(name) twice, and readers differ on which counts", remedy: "build the app again")
        }
        do throws(ZipDirectory.Fault) { return try directory.content(of: entry, limit: limit) } catch {
            throw switch error {
            case .unusual:
                input.refuse(
                    "has a \(name) that is encrypted or packed in an unusual way",
                    remedy: "unpack it and give the file with the pins")
            case .tooLarge:
                input.refuse("has a \(name) of \(entry.size) bytes", remedy: "such a file has at most \(limit) bytes")
            case .noDirectory, .zip64, .broken, .spoiled:
                input.refuse("has a \(name) that can't be unpacked", remedy: "build the app again")
            }
        }
    }
}
