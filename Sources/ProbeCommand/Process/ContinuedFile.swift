import ProbeKit
import ProbePacking
import ProbePlatform
import ProbeStore

/// A file of lines that a command writes, and goes on with when it is run again. Only one command at a time can use it.
///
/// One whose name ends with `.zst` is packed by Zstandard while it is written; one whose name ends with `.sqlite` is a database.
final class ContinuedFile: Sendable {
    private enum Form {
        case lines
        case packed(ZstdWriter)
        case database(LineDatabase)
    }

    let path: String
    /// Open for appending. A database's is for the lock alone, and closed after it: that would end SQLite's locks.
    let descriptor: CInt
    private let form: Form

    /// The endings of packed files that no command writes.
    private static let foreign = [
        ".gz", ".tgz", ".z", ".xz", ".lzma", ".bz2", ".lz4", ".lzo", ".br", ".zip", ".7z", ".zstd",
    ]
    private static let databases = [".sqlite", ".sqlite3"]

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: the value of `--resume`.
    ///   - work: a noun for the work that the file continues.
    ///   - replaceable: the outcomes of a target that lines of a retry replace; nil if the work is kept in no database.
    init(_ path: String, of work: String, replacing replaceable: Set<String>? = nil) throws(InputError) {
        self.path = path
        guard path != "-" else {
            throw InputError(
                "--resume - is not a file, and a \(work) goes on with one",
                remedy: "name a file, or leave --resume out for standard output")
        }
        let isDatabase = Self.databases.contains(where: path.lowercased().hasSuffix)
        guard !isDatabase || replaceable != nil else {
            throw InputError(
                "--resume \(path) would not be a database, as its name says",
                remedy: "give a name that ends with .jsonl or .jsonl.zst")
        }
        if let ending = Self.foreign.first(where: path.lowercased().hasSuffix) {
            throw InputError(
                "--resume \(path) would not be packed as \(ending) says", remedy: "give a name that ends with .zst")
        }
        let isPacked = path.lowercased().hasSuffix(".zst")
        let packer = isPacked ? ZstdWriter() : nil
        guard !isPacked || packer != nil else {
            throw InputError("\(path) can't be packed: out of memory", remedy: "give a name without .zst")
        }
        descriptor = try Self.locked(path, of: work)
        // A limit on file sizes is an error of the write, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        form =
            if isDatabase {
                .database(try LineDatabase(path, replacing: replaceable ?? []))
            } else {
                packer.map(Form.packed) ?? .lines
            }
    }

    deinit {
        database?.close()
        close(descriptor)
    }

    /// Opens a file that no other command uses until this process ends.
    private static func locked(_ path: String, of work: String) throws(InputError) -> CInt {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw InputError(
                "--resume \(path) can't be opened: \(unsafe String(cString: strerror(errno)))",
                remedy: "name a file that you may read and write", source: .file)
        }
        guard FileStatus(descriptor: descriptor)?.isFile == true else {
            throw InputError(
                "--resume \(path) is not a file", remedy: "name the output of an earlier \(work)", source: .file)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else {
                throw InputError(
                    "--resume \(path) can't be locked: \(unsafe String(cString: strerror(errno)))",
                    remedy: "name a file on a local disk, or mount this file system with locks", source: .file)
            }
            throw InputError(
                "--resume \(path) is written to by another \(work)", remedy: "wait for its end", source: .file)
        }
        return descriptor
    }

    /// The database that the file is; nil if it has lines.
    var database: LineDatabase? { if case .database(let database) = form { database } else { nil } }

    /// Packs the lines; nil if the file is not packed.
    private var packer: ZstdWriter? { if case .packed(let packer) = form { packer } else { nil } }

    /// True if a part of a write can't be kept: only whole blocks can be read.
    var isPacked: Bool { packer != nil }

    /// Returns the number of bytes of its lines, as far as they can be read; without bound for a database, none of whose lines can be
    /// cut off.
    func size() throws(InputError) -> Int {
        switch form {
        case .lines: return Int(lseek(descriptor, 0, SEEK_END))
        case .database: return .max
        case .packed:
            let blocks = try ZstdBlocks(path, descriptor)
            while try blocks.next() != nil {}
            guard blocks.place.canEnd else { throw packedByAnother() }
            return blocks.place.unpacked
        }
    }

    /// Returns a reader of its lines.
    func lines(maximumLine: Int) throws(InputError) -> LineReader {
        switch form {
        case .lines: return try LineReader(path, maximumLine: maximumLine)
        case .database(let database):
            return LineReader(of: path, maximumLine: maximumLine, pieces: database.reader())
        case .packed:
            let blocks = try ZstdBlocks(path, descriptor)
            return LineReader(of: path, maximumLine: maximumLine) { () throws(InputError) in try blocks.next() }
        }
    }

    /// Removes what comes after the whole lines that are to be kept.
    ///
    /// Lines that are packed here end with a block. A block of another program's that goes on after them is not packed anew:
    /// what stands in the file must not be for a moment in memory alone.
    ///
    /// - Parameter whole: the number of bytes of those lines.
    /// - Throws: ``InputError`` for a packed file that can't be cut there, which is left unchanged.
    func cut(to whole: Int) throws(InputError) {
        switch form {
        case .lines: try truncate(to: whole)
        case .database: break
        case .packed: try cutBlocks(to: whole)
        }
    }

    private func cutBlocks(to whole: Int) throws(InputError) {
        let blocks = try ZstdBlocks(path, descriptor)
        var place = blocks.place
        while case let block = try blocks.next(), blocks.place.unpacked <= whole {
            place = blocks.place
            if block == nil { break }
        }
        guard place.unpacked == whole, !place.isInFrame || place.canEnd else { throw packedByAnother() }
        try truncate(to: place.packed)
        if place.isInFrame { append(ZstdWriter.lastBlock) }
    }

    /// Returns lines as the file has them, with a block of their own if it is packed. The process ends if that takes more
    /// memory than it may use.
    func packed(_ lines: [UInt8]) -> [UInt8] {
        guard let packer else { return lines }
        guard let packed = packer.pack(lines) else {
            Terminal.printError("probe: \(path) can't be packed: out of memory")
            Departure.now(Outcome.internalError.exitCode)
        }
        return packed
    }

    /// Returns the end of a packed file's frame; nothing for any other file.
    func frameEnd() -> [UInt8] { packer?.end() ?? [] }

    /// True if lines that were given together are there together or not at all.
    var keepsGroups: Bool { database != nil }

    /// Writes bytes at the end of a file of lines. The process ends if they can't be written, as with all output.
    func append(_ bytes: [UInt8]) {
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            Terminal.printError("probe: \(path) can't be written: \(error.reason)")
            Departure.now(Outcome.internalError.exitCode)
        }
    }

    private func truncate(to size: Int) throws(InputError) {
        guard let status = FileStatus(descriptor: descriptor), size < status.size else { return }
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw uncut() }
    }

    private func packedByAnother() -> InputError {
        InputError(
            "\(path) was packed by another program, and ends within a line or a block of it",
            remedy: "unpack what can be read of it with zstd -dc, and resume from that", source: .file)
    }

    private func uncut() -> InputError {
        InputError(
            "the cut-off line at the end of \(path) can't be taken out: \(unsafe String(cString: strerror(errno)))",
            remedy: "make the file writable, or resume from a copy")
    }
}
