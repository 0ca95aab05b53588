public import ProbeKit

/// What a format's file does not say of its own, and the caller does.
public struct FormatContext: Sendable {
    /// What to call the file in an error.
    public var path: String
    /// The host of pins that name none; nil lets them hold for every host.
    public var host: ServerName?
    /// What bare digests are of, and whether a certificate file pins certificates or their keys.
    public var kind: PinKind?
    /// Where in a chain pins hold whose format says nothing of it.
    public var position: PinPosition?
    /// The key that signed entries have to be signed with; nil checks no signature.
    public var signer: WultraKey?

    /// A context of its parts.
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
