extension FormatContext {
    /// One thing that a caller may add to a file.
    public enum Field: Sendable, CaseIterable {
        case host
        case kind
        case position
        case signer
    }
}

extension ProfileFormat {
    /// The fields of a context that a file of this format leaves to the caller; it states the others itself, or does
    /// not use them.
    public var contextFields: Set<FormatContext.Field> {
        switch self {
        case .nativeYAML, .nativeJSON, .apple, .android, .trustkit: []
        case .okhttp, .curl, .hpkp, .tlsa: [.host]
        case .certColon, .rawkeyHex, .spkiBase64: [.host, .position]
        case .hex, .pemCert, .derCert, .pemPubkey, .derPubkey: [.host, .kind, .position]
        case .wultra: [.signer]
        }
    }
}
