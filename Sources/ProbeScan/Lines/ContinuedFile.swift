package import ProbeKit
package import ProbePacking
import ProbePlatform
package import ProbeStore

/// A file of lines that a run writes, and another one goes on with. Only one process at a time can use it.
///
/// One whose name ends with `.zst` is packed by Zstandard while it is written; one whose name ends with `.sqlite` is a database.
package final class ContinuedFile: Sendable {
    /// The reason why a file can't be gone on with.
    package enum Failure: Error {
        /// Its content is not what it has to be.
        case refused(InputError)
        /// Bytes can't be written to it.
        case unwritten(WriteFailure)
    }

    /// The reason why lines can't be written, with the file's path.
    package struct WriteFailure: Error {
        /// One line for people.
        package let message: String
    }

    private enum Form {
        case lines
        case packed(ZstdWriter)
        case database(LineDatabase)
    }

    package let path: String
    /// Open for appending. A database's is for the lock alone, and closed after it: that would end SQLite's locks.
    package let descriptor: CInt
    private let form: Form

    /// The endings of packed files that nothing here writes.
    private static let foreign = [
        ".gz", ".tgz", ".z", ".xz", ".lzma", ".bz2", ".lz4", ".lzo", ".br", ".zip", ".7z", ".zstd",
    ]
    private static let databases = [".sqlite", ".sqlite3"]

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: where the file is, or is to be.
    ///   - label: the words that messages name it by.
    ///   - work: a noun for the work that the file continues.
    ///   - replaceable: the outcomes of a target that lines of a retry replace; nil if the work is kept in no database.
    /// - Throws: `InputError` for a path that can't be such a file, or that another process writes to.
    package init(
        _ path: String, named label: String, of work: String, replacing replaceable: Set<String>? = nil
    ) throws(InputError) {
        self.path = path
        let isDatabase = Self.databases.contains(where: path.lowercased().hasSuffix)
        guard !isDatabase || replaceable != nil else {
            throw InputError(
                "\(label) has the name of a database, and would not be one",
                remedy: "give a name that ends with .jsonl or .jsonl.zst")
        }
        if let ending = Self.foreign.first(where: path.lowercased().hasSuffix) {
            throw InputError(
                "\(label) has the name of a packed file (\(ending)), and would not be packed so",
                remedy: "give a name that ends with .zst")
        }
        let isPacked = path.lowercased().hasSuffix(".zst")
        let packer = isPacked ? ZstdWriter() : nil
        guard !isPacked || packer != nil else {
            throw InputError("\(path) can't be packed: out of memory", remedy: "give a name without .zst")
        }
        descriptor = try Self.locked(path, named: label, of: work)
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

    /// Opens a file that no other process uses until this one ends.
    private static func locked(_ path: String, named label: String, of work: String) throws(InputError) -> CInt {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw InputError(
                "\(label) can't be opened: \(unsafe String(cString: strerror(errno)))",
                remedy: "name a file that you may read and write", source: .file)
        }
        guard FileStatus(descriptor: descriptor)?.isFile == true else {
            throw InputError(
                "\(label) is not a file", remedy: "name the output of an earlier \(work)", source: .file)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else {
                throw InputError(
                    "\(label) can't be locked: \(unsafe String(cString: strerror(errno)))",
                    remedy: "name a file on a local disk, or mount this file system with locks", source: .file)
            }
            throw InputError(
                "\(label) is written to by another \(work)", remedy: "wait for its end", source: .file)
        }
        return descriptor
    }

    /// The database that the file is; nil if it has lines.
    package var database: LineDatabase? { if case .database(let database) = form { database } else { nil } }

    /// Packs the lines; nil if the file is not packed.
    private var packer: ZstdWriter? { if case .packed(let packer) = form { packer } else { nil } }

    /// True if a part of a write can't be kept: only whole blocks can be read.
    package var isPacked: Bool { packer != nil }

    /// Returns the number of bytes of its lines, as far as they can be read; without bound for a database, none of whose lines can be
    /// cut off.
    package func size() throws(InputError) -> Int {
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

    /// The longest line that is read back; whoever writes one keeps it shorter.
    package static let maximumLine = 64 << 20

    /// Returns a reader of its lines.
    package func lines() throws(InputError) -> LineReader {
        switch form {
        case .lines: return try LineReader(path, maximumLine: Self.maximumLine)
        case .database(let database):
            return LineReader(of: path, maximumLine: Self.maximumLine, pieces: database.reader())
        case .packed:
            let blocks = try ZstdBlocks(path, descriptor)
            return LineReader(of: path, maximumLine: Self.maximumLine) { () throws(InputError) in try blocks.next() }
        }
    }

    /// Removes what comes after the whole lines that are to be kept.
    ///
    /// Lines that are packed here end with a block. A block of another program's that goes on after them is not packed anew:
    /// what stands in the file must not be for a moment in memory alone.
    ///
    /// - Parameter whole: the number of bytes of those lines.
    /// - Throws: ``Failure`` for a packed file that can't be cut there, which is left unchanged, and for one whose end can't be
    ///   written.
    package func cut(to whole: Int) throws(Failure) {
        do throws(InputError) {
            switch form {
            case .lines: return try truncate(to: whole)
            case .database: return
            case .packed: guard try cutBlocks(to: whole) else { return }
            }
        } catch {
            throw .refused(error)
        }
        do throws(WriteFailure) {
            try append(ZstdWriter.lastBlock)
        } catch {
            throw .unwritten(error)
        }
    }

    /// Cuts a packed file after whole blocks.
    ///
    /// - Returns: true if what is left lacks the end of a frame.
    private func cutBlocks(to whole: Int) throws(InputError) -> Bool {
        let blocks = try ZstdBlocks(path, descriptor)
        var place = blocks.place
        while case let block = try blocks.next(), blocks.place.unpacked <= whole {
            place = blocks.place
            if block == nil { break }
        }
        guard place.unpacked == whole, !place.isInFrame || place.canEnd else { throw packedByAnother() }
        try truncate(to: place.packed)
        return place.isInFrame
    }

    /// Returns lines as the file has them, with a block of their own if it is packed.
    ///
    /// - Throws: ``WriteFailure`` if that takes more memory than this process may use.
    package func packed(_ lines: [UInt8]) throws(WriteFailure) -> [UInt8] {
        guard let packer else { return lines }
        guard let packed = packer.pack(lines) else {
            throw WriteFailure(message: "\(path) can't be packed: out of memory")
        }
        return packed
    }

    /// Returns the end of a packed file's frame; nothing for any other file.
    package func frameEnd() -> [UInt8] { packer?.end() ?? [] }

    /// True if lines that were given together are there together or not at all.
    package var keepsGroups: Bool { database != nil }

    /// Writes bytes at the end of a file of lines; it blocks the thread.
    package func append(_ bytes: [UInt8]) throws(WriteFailure) {
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            throw WriteFailure(message: "\(path) can't be written: \(error.reason)")
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
