import ProbeKit

/// The forms results are printed in.
enum OutputFormat: String, CaseIterable {
    case text
    case json
    case junit
    case sarif

    /// Creates the format of `--format`, if the command can print it.
    init(named name: String, among allowed: [OutputFormat]) throws(InputError) {
        guard let format = OutputFormat(rawValue: name), allowed.contains(format) else {
            throw InputError(
                "--format '\(name)' is not printed here",
                remedy: "choose \(allowed.map(\.rawValue).joined(separator: ", "))")
        }
        self = format
    }
}
