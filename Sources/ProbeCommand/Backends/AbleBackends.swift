import ProbeKit

/// The backends that are asked a question: of `all` those that are able, the others by name. A backend that is named
/// itself is always asked, and has to refuse.
struct AbleBackends<Backend> {
    /// Those that are asked.
    let asked: [Backend]
    /// The backends that are not, each with its missing capabilities.
    let leftOut: [String]

    /// - Parameters:
    ///   - backends: the selected backends.
    ///   - choice: the backends as they were chosen.
    ///   - missing: returns a backend's missing capabilities for the question.
    init(
        _ backends: PresentBackends<Backend>, named choice: BackendChoice, name: (Backend) -> String,
        missing: (Backend) -> [String]
    ) {
        var asked: [Backend] = []
        var leftOut: [String] = []
        for backend in backends.present {
            let missing = missing(backend).sorted()
            if missing.isEmpty || !choice.isAll || choice.names.contains(name(backend)) {
                asked.append(backend)
            } else {
                leftOut.append("\(name(backend)) can't do \(missing.joined(separator: ", "))")
            }
        }
        // If none is able, all are asked and report that: a check that was not performed must not pass.
        self.asked = asked.isEmpty ? backends.present : asked
        self.leftOut = backends.absent + (asked.isEmpty ? [] : leftOut)
    }

    /// Returns the note that names those that are not asked; nil if all are.
    ///
    /// - Parameter kind: the kind of backends, in the plural.
    func note(_ kind: String, stage: Stage) -> Finding? {
        guard !leftOut.isEmpty else { return nil }
        return .note(
            "\(kind)-left-out", stage: stage, "\(kind) not asked, of all: \(leftOut.joined(separator: "; "))")
    }
}
