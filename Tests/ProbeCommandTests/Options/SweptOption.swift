/// The evidence that an option is honoured, or the reason why it is not checked. Each option of a swept command has one
/// line of this.
struct SweptOption: Sendable {
    enum Kind: Sendable {
        /// Part of every run of the scene.
        case base
        /// Given alone and with each other option; each value has to be seen, unless the run is refused by name.
        case honoured(values: [String?], seen: @Sendable (SweepRun, String) -> Bool)
        /// Refused by its name in this scene, alone and with each other option.
        case refused(value: String?)
        /// Given alone and with each other option, but visible neither in the backends' requests nor in the output.
        case unseen(value: String?)
        /// Not given at all.
        case skipped
    }

    let name: String
    let kind: Kind

    /// An option every value of which is seen; `FOLDER` in a value is the folder with the sweep's files.
    static func honoured(
        _ name: String, _ values: String..., seen: @escaping @Sendable (SweepRun, String) -> Bool
    ) -> SweptOption {
        SweptOption(name: name, kind: .honoured(values: values, seen: seen))
    }

    /// A flag that is seen.
    static func flag(_ name: String, seen: @escaping @Sendable (SweepRun) -> Bool) -> SweptOption {
        SweptOption(name: name, kind: .honoured(values: [nil]) { run, _ in seen(run) })
    }

    static func refused(_ name: String, _ value: String?) -> SweptOption {
        SweptOption(name: name, kind: .refused(value: value))
    }

    /// - Parameter reason: the test that covers it instead, or why nothing is visible.
    static func unseen(_ name: String, _ value: String?, because reason: String) -> SweptOption {
        SweptOption(name: name, kind: .unseen(value: value))
    }

    /// - Parameter reason: why it can't be part of a run within this process.
    static func skipped(_ name: String, because reason: String) -> SweptOption {
        SweptOption(name: name, kind: .skipped)
    }

    /// The values it is run with; the second one, if there is one, is given beside the first.
    var values: [String?] {
        switch kind {
        case .base, .skipped: []
        case .honoured(let values, _): values
        case .refused(let value), .unseen(let value): [value]
        }
    }

    /// Returns true if its value shows in a run; a value that can't show always counts.
    func isSeen(_ value: String?, in run: SweepRun) -> Bool {
        guard case .honoured(_, let seen) = kind else { return true }
        return seen(run, value ?? "")
    }

    var isHonoured: Bool { if case .honoured = kind { true } else { false } }
    var isRefused: Bool { if case .refused = kind { true } else { false } }
}

extension [SweptOption] {
    /// Options that are part of every run of a scene.
    static func base(_ names: String...) -> [SweptOption] { names.map { SweptOption(name: $0, kind: .base) } }
}
