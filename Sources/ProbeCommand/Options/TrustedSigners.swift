import ProbeKit
import ProbeProfiles
import ProbeSignatures

/// Trusted signers from a file: a JSON list, or a profile that names them.
enum TrustedSigners {
    static func read(_ path: String) throws(InputError) -> [TrustedSigner] {
        let bytes = try InputFile.bytes(of: path, limit: SignersFile.maximumBytes, kind: "signers file")
        guard bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) != UInt8(ascii: "[") else {
            return try SignersFile.read(path)
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        var signers: [TrustedSigner] = []
        for record in try ProfileFile.read(bytes, from: path, format: .nativeYAML).imported.profile.signers {
            signers.append(try record.signer(in: folder))
        }
        guard !signers.isEmpty else {
            throw InputError(
                "\(path) names no signers", remedy: "name at least one: nothing else is trusted", source: .file)
        }
        return signers
    }
}
