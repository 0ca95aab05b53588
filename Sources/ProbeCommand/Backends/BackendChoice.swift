/// The backends that `--backend` or `--resolver` names.
struct BackendChoice: Sendable {
    /// Those that are named themselves, each once, in order; an empty word is kept, for it is refused.
    let names: [String]
    /// True if `all` is among the words.
    let isAll: Bool

    /// Reads the words of an option, which commas separate too.
    init(_ words: [String]) {
        let read = words.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        isAll = read.contains("all")
        var names: [String] = []
        for name in read where name != "all" && !names.contains(name) { names.append(name) }
        self.names = names
    }

    /// Those that can do what is asked.
    static let all = BackendChoice(["all"])
    /// None, of a command that has no such option.
    static let empty = BackendChoice([])

    /// True if the option selects what it does when not given.
    var isDefault: Bool { isAll && names.isEmpty }

    /// Returns true if a backend of this name is selected.
    func includes(_ name: String) -> Bool { isAll || names.contains(name) }
}
