import ProbeKit

/// One target of a list, with the fields of its line.
struct ScanTarget: Sendable {
    let target: Target
    /// The name on the line; it is repeated in the results.
    var service: String?
    /// Pins instead of those of the command line; nil leaves those.
    var pins: [PinText]?
    /// The longest it may take in all; nil is the command line's value.
    var timeout: Duration?
    /// The outcomes of an earlier run that are to be replaced; nil if there are none.
    var earlier: [Outcome]?

    /// The target's identity.
    var id: ScanID {
        var fields = [target.description, target.connect?.description ?? "", service ?? ""]
        fields.append(timeout.map { "\($0.inSeconds)" } ?? "")
        guard let pins else { return ScanID(fields) }
        return ScanID(fields + ["pins"] + pins.map { "\($0.pin.kind.rawValue) \($0.position) \($0.pin.digest.hex)" })
    }
}
