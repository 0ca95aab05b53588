import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeSignatures

/// The key of a signed list of pins (requirement 84).
struct ListKeyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The P-256 key, PEM, that has to have signed a wultra list.", valueName: "file"),
        completion: .file())
    var key: String?

    /// Returns the key; nil if none is given, which leaves signatures unchecked.
    func read() throws(InputError) -> FingerprintKey? {
        guard let key else { return nil }
        let bytes = try InputFile.bytes(of: key, limit: 1 << 16, kind: "key file")
        do throws(InputError) {
            return try FingerprintKey(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw InputError("--key \(key) can't be used: \(error.message)", remedy: error.remedy, source: .file)
        }
    }

    /// Rejects the key if none of the files is signed with one: it would seem to have an effect.
    ///
    /// - Parameters:
    ///   - formats: the formats of the files that are read.
    ///   - target: the format that is written; nil if nothing is.
    func refuseIdle(for formats: [ProfileFormat], writing target: ProfileFormat? = nil) throws(InputError) {
        guard key != nil, !formats.contains(where: { $0.contextFields.contains(.signer) }) else { return }
        throw InputError(idle: "--key", for: formats + [target].compactMap(\.self))
    }
}
