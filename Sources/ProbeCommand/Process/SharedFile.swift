import ProbeKit
import ProbePlatform

/// A file that a command would read and write: what it appends would be its input again, without end, and what it replaces
/// would be lost.
enum SharedFile {
    /// Rejects an input that is written to.
    ///
    /// - Parameters:
    ///   - inputs: paths; `-` is standard input.
    ///   - output: the path of what is written; nil or `-` for standard output.
    ///   - option: the option that names the output, if one does.
    static func refuse(_ inputs: [String], writingTo output: String?, of option: String = "") throws(InputError) {
        let path = output == "-" ? nil : output
        let written = if let path { FileStatus(at: path) } else { FileStatus(descriptor: STDOUT_FILENO) }
        guard let status = written, status.isFile else { return }
        for input in inputs {
            let read = input == "-" ? FileStatus(descriptor: STDIN_FILENO) : FileStatus(at: input)
            guard read?.identity == status.identity else { continue }
            throw InputError(
                "\(input == "-" ? "standard input" : input) is read and written to",
                remedy: path == nil ? "write standard output to another file" : "name another file after \(option)")
        }
    }
}
