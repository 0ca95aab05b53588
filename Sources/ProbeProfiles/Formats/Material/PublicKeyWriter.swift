import ProbeKit
import ProbeTrust

/// Writes the public keys that pins are of, as far as they are known.
enum PEMPublicKeyWriter: FormatWriter {
    static let traits = FormatTraits(kinds: Set(PinKind.allCases), positions: .unstated(.leaf), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        Array(keys(pinned, export, losses: &losses).map(PublicKeyFile.pem).joined().utf8)
    }

    static func keys(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for (host, pin) in pinned.pins {
            guard let key = export.material.key(of: pin) else {
                losses.append(FormatLoss("material", host, "a digest does not lead back to a key: \(pin) is left out"))
                continue
            }
            switch pin.kind {
            case .cert:
                losses.append(
                    FormatLoss("kind", host, "\(pin) is written as its key, which other certificates may have too"))
            case .rawkey:
                losses.append(FormatLoss("kind", host, "\(pin) is written as a key; read it back with --kind rawkey"))
            case .spki: break
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// Writes the one public key that a pin is of, DER.
enum DERPublicKeyWriter: FormatWriter {
    static let traits = PEMPublicKeyWriter.traits

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        OnlyOne.of(PEMPublicKeyWriter.keys(pinned, export, losses: &losses), losses: &losses)
    }
}
