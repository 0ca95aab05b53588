import ProbeProfiles

/// The words that only files of some formats have, to find advice that a file can't hold.
enum FormatWords {
    /// A format that is not in the list has no words of its own.
    private static let own: [(formats: Set<ProfileFormat>, words: [String])] = [
        (
            [.nativeYAML, .nativeJSON],
            [
                "backup:", "position:", "enforce:", "match:", "includeSubdomains", "anyOf", "'expires'", "afterExpiry",
                "unlistedHost", "pinning:", "fallback:", "onMissingDate", "minTLS", "shareWith", "emulate:", "window",
                "host rule", "a set of its own", "unlistedHost",
            ]
        ),
        ([.apple], ["NSPinned", "NSIncludes", "SPKI-SHA256"]),
        ([.android], ["<pin", "<domain", "domain-config", "pin-set", "expiration"]), ([.trustkit], ["TSK"]),
        ([.okhttp], ["sha256/"]), ([.curl], ["sha256//"]), ([.hpkp], ["Public-Key-Pins", "pin-sha256"]),
        ([.hex], ["KIND@"]), ([.tlsa], ["TLSA", "usage "]), ([.wultra], ["fingerprint"]),
        ([.pemCert, .pemPubkey, .derCert, .derPubkey], ["PEM"]),
    ]

    /// Returns the words in a text that only other formats have.
    static func foreign(_ text: String, to format: ProfileFormat) -> [String] {
        // A digest may begin with a slash, and is then not taken for another format's word.
        let text = text.replacing(#/[A-Za-z0-9+\/]{43}=/#, with: "DIGEST")
        let words = own.filter { !$0.formats.contains(format) }.flatMap(\.words)
        let mine = own.filter { $0.formats.contains(format) }.flatMap(\.words)
        // One word may begin another: sha256/ is in sha256//.
        return words.filter { word in text.contains(word) && !mine.contains { $0.contains(word) && text.contains($0) } }
    }
}
