import ProbeKit

/// One target of a list, with what its line says about it alone.
struct ScanTarget: Sendable {
    let target: Target
    /// What the line calls it; it comes back in its results.
    var service: String?
    /// Pins instead of those of the command line; nil leaves those.
    var pins: [PinText]?
    /// The most it may take in all; nil is what the command line says.
    var timeout: Duration?

    /// What tells it from others.
    var id: ScanID {
        var fields = [target.description, target.connect?.description ?? "", service ?? ""]
        fields.append(timeout.map { "\($0.inSeconds)" } ?? "")
        guard let pins else { return ScanID(fields) }
        return ScanID(fields + ["pins"] + pins.map { "\($0.pin.kind.rawValue) \($0.position) \($0.pin.digest.hex)" })
    }
}
