import ProbeKit

/// The selected backends that can be used on this machine: of `all` those whose library is there. One that is named itself has
/// to be.
struct PresentBackends<Backend> {
    /// Those that are there; at least one.
    let present: [Backend]
    /// The others of `all`, each with the reason.
    let absent: [String]

    /// - Parameters:
    ///   - selected: the selected backends.
    ///   - choice: the backends as they were chosen.
    ///   - option: the option that they were given to.
    /// - Throws: ``InputError`` if one that is named is not there, or none is.
    init(
        _ selected: [Backend], named choice: BackendChoice, option: String, name: (Backend) -> String,
        absence: (Backend) -> BackendAbsence?
    ) throws(InputError) {
        var present: [Backend] = []
        var absent: [String] = []
        for backend in selected {
            guard let absence = absence(backend) else {
                present.append(backend)
                continue
            }
            absent.append("\(name(backend)) (\(absence))")
            guard !choice.names.contains(name(backend)) else {
                throw InputError(
                    "\(option) '\(name(backend))' can't be used on this machine: \(absence.reason)",
                    remedy: "\(absence.remedy), or choose another that probe backends lists")
            }
        }
        guard !present.isEmpty || absent.isEmpty else {
            throw InputError(
                "no backend of \(option) can be used on this machine: \(absent.joined(separator: "; "))",
                remedy: "install one of these libraries")
        }
        self.present = present
        self.absent = absent
    }

    /// Returns those that are there, and names the others on standard error.
    func reported() -> [Backend] {
        if !absent.isEmpty { Terminal.printError("probe: not asked, of all: \(absent.joined(separator: "; "))") }
        return present
    }
}
