/// The version of the command, of which `CHANGELOG.md` has the history.
enum ProbeVersion {
    static let current = "0.15.0"
}
