import FuzzBytes
import ProbeKit
import ProbeProfiles

extension FuzzTarget {
    /// A target for each family of formats: the first byte of an input chooses one of the family.
    static let profiles = [
        profile("profile-native", [.nativeYAML, .nativeJSON]), profile("profile-apple", [.apple]),
        profile("profile-android", [.android]), profile("profile-trustkit", [.trustkit]),
        profile("profile-okhttp", [.okhttp]),
        profile("profile-lists", [.curl, .hpkp, .certColon, .hex, .rawkeyHex, .spkiBase64]),
        profile("profile-material", [.pemCert, .derCert, .pemPubkey, .derPubkey]),
        profile("profile-tlsa", [.tlsa]), profile("profile-wultra", [.wultra]),
        profile("app-package", [.apple, .android], upTo: 16_384),
    ]

    private static func profile(
        _ name: String, _ formats: [ProfileFormat], upTo maximumBytes: Int = 4096
    ) -> FuzzTarget {
        FuzzTarget(name, upTo: maximumBytes) { bytes in
            guard let first = bytes.first else { return }
            try check(Array(bytes.dropFirst()), as: formats[Int(first) % formats.count])
        }
    }

    /// A file that is read can be written in our own format without loss, and in its own so that it stays as it is.
    private static func check(_ bytes: [UInt8], as format: ProfileFormat) throws {
        let detected = ProfileFormat.detect(bytes)
        let context = FormatContext(path: "the input")
        let read = try? format.read(bytes, context)
        if let detected {
            let found = try? ProfileFile.read(bytes, from: "the input")
            try hold(found == nil || found?.format == detected, "it is detected as two formats")
            if detected == format { try hold(found?.imported == read, "two readings of one file differ") }
        }
        guard let read else { return }
        let native: Exported
        do {
            native = try ProfileFormat.nativeYAML.write(read.profile)
        } catch { throw FuzzFinding("a profile that was read can't be written: \(error)") }
        let own = try? ProfileFormat.nativeYAML.read(native.bytes, context)
        try hold(own?.profile == read.profile, "our own format changes it:\n\(text(native.bytes))")
        guard !format.isNative, let written = try? format.write(read.profile, material: read.material) else { return }
        // TrustKit would not start with these, and so its reader refuses them.
        guard !written.losses.contains(where: { $0.code == "too-few-pins" }) else { return }
        guard let once = try? format.read(written.bytes, context) else {
            throw FuzzFinding("what is written is not read back:\n\(text(written.bytes))")
        }
        let second = try? format.write(once.profile, material: once.material)
        try hold(second?.bytes == written.bytes, "written again it differs:\n\(text(written.bytes))")
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(2000), as: UTF8.self) }
}
