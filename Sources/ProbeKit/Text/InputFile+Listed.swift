import ProbePlatform

extension InputFile {
    /// Returns the error for a file that a folder lists and that can't be looked at. Swift repairs a name that is not UTF-8,
    /// and no file has the repaired one.
    ///
    /// - Parameter reason: the system's number for the error.
    package static func unreadable(listed path: String, _ reason: CInt) -> InputError {
        let name = PrintableText.escape(path)
        guard reason != ENOENT || !path.contains("\u{fffd}") else {
            return InputError(
                "\(name) can't be read: its name is not UTF-8",
                remedy: "rename it in UTF-8, or name the other files", source: .file)
        }
        return InputError(
            "\(name) can't be read: \(SystemError.words(reason))",
            remedy: "check that it exists and you may read it", source: .file)
    }
}
