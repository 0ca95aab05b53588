import ArgumentParser
import ProbeKit
import ProbeProfiles

/// Facts that a file of pins does not contain.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The host of pins that name none.", valueName: "name"))
    var host: Given<ServerName>?

    @Option(
        help: ArgumentHelp(
            "What bare digests are of, or what of a certificate is pinned: cert, spki or rawkey.", valueName: "kind"))
    var kind: Given<PinKind>?

    @Option(
        help: ArgumentHelp(
            "Where pins hold whose format does not say it, and what 'any' becomes where a format does not have it: leaf, ca, any or first-N.",
            valueName: "position"))
    var position: Given<PinPosition>?

    @OptionGroup var listKey: ListKeyOption

    /// Returns the context for a file, from the options.
    func context(_ path: String) throws(InputError) -> FormatContext {
        FormatContext(
            path: path, host: host?.value, kind: kind?.value, position: position?.value,
            signer: try listKey.read())
    }

    /// Rejects options for facts that the files contain: they would seem to have an effect.
    ///
    /// - Parameters:
    ///   - formats: the formats of the files that are read.
    ///   - target: the format that is written; nil if nothing is.
    func refuseIdle(for formats: [ProfileFormat], writing target: ProfileFormat? = nil) throws(InputError) {
        let read = formats.reduce(into: Set<FormatContext.Field>()) { $0.formUnion($1.contextFields) }
        let known = target?.chosenPositions ?? []
        if let position, !known.isEmpty, !read.contains(.position), !known.contains(position.value) {
            throw InputError(
                "--position \(position.value) is not one that \(target?.rawValue ?? "it") has",
                remedy: "choose \(Words.alternatives(known.map(\.description)))")
        }
        let taken = read.union(target == nil ? [] : [.host]).union(known.isEmpty ? [] : [.position])
        for (option, field, isGiven) in [
            ("--host", FormatContext.Field.host, host != nil), ("--kind", .kind, kind != nil),
            ("--position", .position, position != nil),
        ] where isGiven && !taken.contains(field) {
            throw InputError(idle: option, for: formats + [target].compactMap(\.self))
        }
        try listKey.refuseIdle(for: formats, writing: target)
    }
}

extension InputError {
    /// The refusal of an option for a fact that files of these formats do not leave open.
    init(idle option: String, for formats: [ProfileFormat]) {
        self.init(
            "\(option) is of no use for \(formats.map(\.rawValue).joined(separator: " and "))", remedy: "leave it out")
    }
}
