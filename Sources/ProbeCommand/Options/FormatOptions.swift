import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeSignatures

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

    @Option(help: ArgumentHelp("The P-256 key, PEM, that has to have signed a wultra list.", valueName: "file"))
    var key: String?

    /// Returns the context for a file, from the options.
    func context(_ path: String) throws(InputError) -> FormatContext {
        FormatContext(
            path: path, host: host?.value, kind: kind?.value, position: position?.value,
            signer: try key.map { path throws(InputError) in
                let bytes = try InputFile.bytes(of: path, limit: 1 << 16, kind: "key file")
                do throws(InputError) {
                    return try FingerprintKey(String(decoding: bytes, as: UTF8.self))
                } catch {
                    throw InputError(
                        "--key \(path) can't be used: \(error.message)", remedy: error.remedy, source: .file)
                }
            })
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
            ("--position", .position, position != nil), ("--key", .signer, key != nil),
        ] where isGiven && !taken.contains(field) {
            throw InputError(
                "\(option) is of no use for \((formats + [target].compactMap(\.self)).map(\.rawValue).joined(separator: " and "))",
                remedy: "leave it out")
        }
    }
}
