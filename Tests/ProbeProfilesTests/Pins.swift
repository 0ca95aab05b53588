import ProbeKit
import ProbePins
import ProbeProfiles

/// Pins of arbitrary digests.
enum Pins {
    static func pin(_ byte: UInt8, _ kind: PinKind = .spki) -> Pin {
        Pin(kind: kind, digest: .sha256(of: [byte]))
    }

    static func set(_ byte: UInt8) -> PinSet { PinSet([.init(pin(byte))], position: .leaf) }

    /// Returns the pin as text.
    static func text(_ byte: UInt8, _ kind: PinKind = .spki) -> String { pin(byte, kind).description }
}
