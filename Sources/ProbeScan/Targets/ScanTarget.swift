public import ProbeKit
public import ProbePins
public import ProbeRun

/// One target of a scan, with the settings of its own that its line of the list gives.
public struct ScanTarget: Sendable {
    /// The server to dial and the name to ask for.
    public let target: Target
    /// True if the line names the place to dial, and not only an address with its zone.
    package var choosesPlace = false
    /// The number of its line in the list, from 1 on; nil for a target that no line names.
    public var line: Int?
    /// The name for its results, 1 to 200 bytes; nil if it has none.
    public var service: String?
    /// Pins instead of those of the scan; nil leaves those.
    public var pins: [PinText]?
    /// The files of a client identity instead of the scan's; nil leaves that.
    public var identity: IdentityFiles?
    /// The content of those files, once they were read.
    public var clientIdentity: ClientIdentity?
    /// The longest it may take in all; nil is the scan's value.
    public var timeout: Duration?
    /// The outcomes of an earlier run that are to be replaced; nil if there are none.
    var earlier: [Outcome]?

    /// Creates a target that no line of a list names.
    public init(
        target: Target, service: String? = nil, pins: [PinText]? = nil, identity: IdentityFiles? = nil,
        timeout: Duration? = nil
    ) {
        self.target = target
        self.service = service
        self.pins = pins
        self.identity = identity
        self.timeout = timeout
    }

    /// The target's identity: equal for equal settings, the client's certificates included, whatever its line.
    public var id: ScanID {
        var fields = [target.description, target.connect?.description ?? "", service ?? ""]
        fields.append(timeout.map { "\($0.inSeconds)" } ?? "")
        if let identity { fields += ["client", identity.certificate, identity.key ?? "", identity.passphrase ?? ""] }
        if let pins {
            fields += ["pins"] + pins.map { "\($0.pin.kind.rawValue) \($0.position) \($0.pin.digest.hex)" }
        }
        let line = ScanID(fields)
        guard let clientIdentity else { return line }
        // Another certificate in the same file is another question of the same line.
        return ScanID(line, with: clientIdentity.chain.map { PinDigest.sha256(of: $0).hex })
    }

    /// The SHA-256 of the client's certificate, if the target has one of its own.
    var clientCertificate: String? { clientIdentity?.chain.first.map { PinDigest.sha256(of: $0).hex } }
}
