public import ProbeKit
public import ProbeSignatures

/// Facts that a format's file does not contain, and the caller supplies.
public struct FormatContext: Sendable {
    /// The file's name in errors.
    public var path: String
    /// The host of pins that name none; nil lets them hold for every host.
    public var host: ServerName?
    /// The kind of bare digests; also whether a certificate file pins certificates or their keys.
    public var kind: PinKind?
    /// The position of pins whose format does not state one.
    public var position: PinPosition?
    /// The key that signed entries have to be signed with; nil checks no signature.
    public var signer: FingerprintKey?

    /// Creates a context.
    public init(
        path: String, host: ServerName? = nil, kind: PinKind? = nil, position: PinPosition? = nil,
        signer: FingerprintKey? = nil
    ) {
        self.path = path
        self.host = host
        self.kind = kind
        self.position = position
        self.signer = signer
    }
}

extension FormatContext {
    /// A field of the context.
    public enum Field: Sendable, CaseIterable {
        /// The host that the pins are for.
        case host
        /// The kind of the pins.
        case kind
        /// The position of the pins.
        case position
        /// The name of the signer.
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
