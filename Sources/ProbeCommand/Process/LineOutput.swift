import Dispatch
import ProbeKit
import ProbePlatform
import ProbeScan
import ProbeStore
import Synchronization

/// The output of a command that writes lines as they come: whole lines only, whatever happens, and written on a thread of
/// its own, so that a slow reader blocks neither deadlines nor signals.
final class LineOutput: LineSink {
    private let descriptor: CInt
    private let file: ContinuedFile?
    private let gathering: Terminal.Gathering?
    private let queue = DispatchQueue(label: "probe.output")
    /// The lines that came since the last write began.
    private let pending = Mutex(Pending())
    /// Since when a reader is waited for; nil if there is nothing to take.
    private let waiting = Mutex<ContinuousClock.Instant?>(nil)
    /// The time to wait for a reader at the end.
    private static let patience = Duration.milliseconds(300)

    private struct Pending {
        var bytes: [UInt8] = []
        /// The numbers of bytes that were given together.
        var counts: [Int] = []
        var done: [@Sendable () -> Void] = []
    }

    /// Writes to an open descriptor, which stays open.
    convenience init(_ descriptor: CInt) { self.init(descriptor, file: nil) }

    /// Goes on with a file, packed as its name says.
    convenience init(_ file: ContinuedFile) { self.init(file.descriptor, file: file) }

    private init(_ descriptor: CInt, file: ContinuedFile?) {
        self.descriptor = descriptor
        self.file = file
        gathering = descriptor == STDOUT_FILENO ? Terminal.gathering : nil
        // A limit on file sizes is an error of the write, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// Writes lines, and returns when they are written. If they can't be, the process ends: quietly with the code of
    /// SIGPIPE if the reader is gone, else with that of an internal error.
    func write(_ lines: [String]) async {
        await withCheckedContinuation { continuation in enqueue(lines) { continuation.resume() } }
    }

    /// Writes lines after all that were given before, and calls `done` when they are written. Those that come while a
    /// write lasts are written together.
    func enqueue(_ lines: [String], done: @escaping @Sendable () -> Void = {}) {
        let isFirst = pending.withLock { pending in
            let before = pending.bytes.count
            for line in lines {
                pending.bytes += line.utf8
                pending.bytes.append(UInt8(ascii: "\n"))
            }
            pending.counts.append(pending.bytes.count - before)
            pending.done.append(done)
            return pending.done.count == 1
        }
        if isFirst { queue.async { self.writePending() } }
    }

    /// Writes all that was given so far.
    private func writePending() {
        let taken = pending.withLock { pending in
            let taken = pending
            pending = Pending()
            return taken
        }
        guard !taken.done.isEmpty else { return }
        waiting.withLock { $0 = .now }
        if let database = file?.database { store(taken, in: database) } else { writeNow(packed(taken)) }
        waiting.withLock { $0 = nil }
        for done in taken.done { done() }
    }

    /// Returns lines as the file has them. Those that were given together end with a block, so that it can be cut there.
    private func packed(_ taken: Pending) -> [UInt8] {
        guard let file else { return taken.bytes }
        var packed: [UInt8] = []
        var rest = taken.bytes[...]
        for count in taken.counts {
            packed += file.packedOrEnd(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return packed
    }

    /// Writes lines to a database, which has all of them or, if the process ends for that, none.
    private func store(_ taken: Pending, in database: LineDatabase) {
        var rest = taken.bytes[...]
        let groups = taken.counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        }
        do throws(LineDatabase.WriteFailure) {
            try database.append(groups)
        } catch {
            Terminal.printError("probe: the output can't be written: \(error.reason)")
            Departure.now(Outcome.internalError.exitCode)
        }
    }

    /// Ends the frame of a packed output, and closes a database, after all that was given before.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                writePending()
                writeEnd()
                continuation.resume()
            }
        }
    }

    private func writeEnd() {
        guard let file else { return }
        file.endIfRemoved()
        if let reason = file.database?.close() {
            Terminal.printError(
                "note: some lines are in \(PrintableText.escape(file.path))-wal (\(reason)): copy both files, or neither"
            )
        }
        let end = file.frameEnd()
        if !end.isEmpty { writeNow(end) }
        file.noteIfMoved()
    }

    /// Ends the process between two lines. A reader that does not even take the current line is not waited for.
    ///
    /// It ends without the libraries' own cleanup, which would break handshakes in progress.
    func end(_ code: Int32) -> Never {
        queue.async {
            self.writePending()
            self.writeEnd()
            Departure.now(code)
        }
        usleep(300_000)
        Departure.now(code)
    }

    /// Ends the process when a reader takes nothing for a while: writers waiting for it would never finish. Returns
    /// when its task is cancelled.
    func endWhenStalled(_ code: Int32) async {
        while (try? await Task.sleep(for: Self.patience / 3)) != nil {
            if let start = waiting.withLock({ $0 }), start.duration(to: .now) > Self.patience { end(code) }
        }
    }

    private func writeNow(_ bytes: [UInt8]) {
        if let gathering { return gathering.take(bytes, descriptor) }
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            if error.code == EPIPE { Departure.now(128 + SIGPIPE) }
            takeBack(bytes, written: error.written)
            Terminal.printError("probe: the output can't be written: \(error.reason)")
            Departure.now(Outcome.internalError.exitCode)
        }
    }

    /// Removes the beginning of a line from a file that has no space for its end; of a packed file, all that was begun.
    private func takeBack(_ bytes: [UInt8], written: Int) {
        guard let status = FileStatus(descriptor: descriptor), status.isFile else { return }
        let newline = file?.isPacked == true ? nil : bytes[..<written].lastIndex(of: UInt8(ascii: "\n"))
        let whole = newline.map { $0 + 1 } ?? 0
        let end = lseek(descriptor, 0, SEEK_CUR)
        // Another process's bytes after ours must not be removed.
        guard end == off_t(status.size), end >= written else { return }
        ftruncate(descriptor, end - off_t(written - whole))
    }
}
