import ProbeKit
import ProbePlatform
import ProbeScan

/// A file that a command goes on with: the process ends if it can't be written, as with all output.
extension ContinuedFile {
    /// Opens the file of `--resume`, and creates it if it does not exist.
    ///
    /// - Parameter work: a noun for the work that the file continues.
    convenience init(resuming path: String, of work: String) throws(InputError) {
        try Self.refuseStandardOutput(path, of: work)
        try self.init(path, named: Self.label(path), of: work)
    }

    /// The words that messages name the file by.
    static func label(_ path: String) -> String { "--resume \(path)" }

    /// Rejects what stands for standard output elsewhere.
    static func refuseStandardOutput(_ path: String, of work: String) throws(InputError) {
        guard path == "-" else { return }
        throw InputError(
            "--resume - is not a file, and a \(work) goes on with one",
            remedy: "name a file, or leave --resume out for standard output")
    }

    /// Returns lines as the file has them.
    func packedOrEnd(_ lines: [UInt8]) -> [UInt8] {
        do throws(WriteFailure) { return try packed(lines) } catch { error.end() }
    }

    /// Writes bytes at its end.
    func appendOrEnd(_ bytes: [UInt8]) {
        do throws(WriteFailure) { try append(bytes) } catch { error.end() }
        endIfRemoved()
    }

    /// Ends the process if somebody removed the file while it was written: nobody can open it any more, and a run whose
    /// output is lost must not look like one that is done.
    func endIfRemoved() {
        // Some file systems count no links at all.
        guard let status = FileStatus(descriptor: descriptor), status.links == 0,
            status.identity != FileStatus(at: path)?.identity
        else { return }
        Terminal.printError(
            """
            probe: \(PrintableText.escape(path)) was removed while it was written to, and all that was in it is lost
              fix: run the command again, and leave the file in its place until it ends
            """)
        Departure.now(Outcome.internalError.exitCode)
    }

    /// Reports another file in its place. A file that was renamed, as programs that rotate logs do, has everything.
    func noteIfMoved() {
        guard let status = FileStatus(descriptor: descriptor), status.identity != FileStatus(at: path)?.identity else {
            return
        }
        Terminal.printError(
            "note: \(PrintableText.escape(path)) was renamed or replaced while it was written to: the lines are in the file that was there before"
        )
    }

    /// Removes what comes after the whole lines that are to be kept.
    func cutOrEnd(to whole: Int) throws(InputError) {
        do throws(Failure) { try cut(to: whole) } catch { throw error.refusal() }
    }
}

extension ContinuedFile.Failure {
    /// Returns the reason why the file's content is refused; for any other failure the process ends.
    func refusal() -> InputError {
        switch self {
        case .refused(let error): error
        case .unwritten(let failure): failure.end()
        }
    }
}

extension ContinuedFile.WriteFailure {
    /// Ends the process, as with all output that can't be written.
    func end() -> Never {
        Terminal.printError("probe: \(message)")
        Departure.now(Outcome.internalError.exitCode)
    }
}

/// The output of an earlier scan that `--resume` names.
extension ResumeFile {
    /// Opens the file, and creates it if it does not exist.
    convenience init(resuming path: String) throws(InputError) {
        try ContinuedFile.refuseStandardOutput(path, of: "scan")
        try self.init(path, named: ContinuedFile.label(path))
    }

    /// Reads the results of earlier runs, and removes an incomplete line at the end.
    func earlier(retryingFailed retriesFailed: Bool) async throws(InputError) -> Earlier {
        do throws(ContinuedFile.Failure) {
            return try await done(retryingFailed: retriesFailed)
        } catch {
            throw error.refusal()
        }
    }

    /// Returns the output that goes on after what was done.
    func output() -> LineOutput { LineOutput(file) }
}
