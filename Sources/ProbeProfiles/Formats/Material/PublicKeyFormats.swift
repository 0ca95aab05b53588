import ProbeKit
import ProbePins
import ProbeTrust

/// Public keys, PEM: a file for curl's `--pinnedpubkey`, which compares them with the leaf's.
enum PEMPublicKeyFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.hasBlock("PUBLIC KEY") && !input.hasBlock("CERTIFICATE")
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        guard input.context.kind != .cert else {
            throw InputError("a public key is not a certificate to pin", remedy: "\(Fix.Step.chooseKeyKind)")
        }
        let kind = input.context.kind ?? .spki
        let keys = try PublicKeyFile.keys(in: input.bytes, from: input.context.path)
        var members: [PinSet.Member] = []
        var known: Set<PinSet.Member> = []
        for key in keys {
            guard let slices = try? CertificateSlices(spki: key.span) else { continue }
            let digest = PinDigest.sha256(of: kind == .rawkey ? key[slices.rawKey] : key[slices.spki])
            let member = PinSet.Member(Pin(kind: kind, digest: digest))
            if known.insert(member).inserted { members.append(member) }
        }
        let set = PinSet(members, position: input.context.position ?? .leaf)
        return Imported(profile: try input.profile(of: [set]), material: PinMaterial(keys: keys))
    }
}

/// A public key, DER.
enum DERPublicKeyFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { (try? CertificateSlices(spki: input.bytes.span)) != nil }

    static func read(_ input: FormatInput) throws(InputError) -> Imported { try PEMPublicKeyFormat.read(input) }
}

extension FormatInput {
    /// Returns true if a line begins a PEM block; one that is quoted in another format is not at the start of a line.
    func hasBlock(_ label: String) -> Bool {
        let begin = "-----BEGIN \(label)-----"
        return text.map { $0.hasPrefix(begin) || $0.contains("\n" + begin) || $0.contains("\r\n" + begin) } ?? false
    }
}

/// Writes the public keys that pins are of, as far as they are known.
extension PEMPublicKeyFormat: FormatWriter {
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
                losses.append(FormatLoss("kind", host, "\(pin) is written as a key; \(Fix.Step.readAsKind(.rawkey))"))
            case .spki: break
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// Writes the one public key that a pin is of, DER.
extension DERPublicKeyFormat: FormatWriter {
    static let traits = PEMPublicKeyFormat.traits

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        OnlyOne.of(PEMPublicKeyFormat.keys(pinned, export, losses: &losses), losses: &losses)
    }
}
