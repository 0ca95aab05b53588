import ProbeKit

/// The command line as the system passes it. Swift repairs what is not UTF-8, so that a file would not be found by its name.
enum ArgumentBytes {
    /// The error for the first argument that is not UTF-8; nil if all are.
    static var refusal: InputError? {
        for index in 0..<Int(CommandLine.argc) where index > 0 {
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
            guard unsafe String(validatingCString: argument) == nil else { continue }
            return InputError(
                "argument \(index) is not UTF-8", remedy: "write it in UTF-8; if it is a file's name, rename the file")
        }
        return nil
    }
}
