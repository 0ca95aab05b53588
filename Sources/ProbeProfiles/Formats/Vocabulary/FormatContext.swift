public import ProbeKit

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
    public var signer: WultraKey?

    /// Creates a context.
    public init(
        path: String, host: ServerName? = nil, kind: PinKind? = nil, position: PinPosition? = nil,
        signer: WultraKey? = nil
    ) {
        self.path = path
        self.host = host
        self.kind = kind
        self.position = position
        self.signer = signer
    }
}
