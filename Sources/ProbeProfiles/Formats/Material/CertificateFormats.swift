import ProbeKit
import ProbePins
import ProbeTrust

/// Certificates, PEM: any number of blocks. They are pinned whole, or by their key if the caller asks for it.
enum PEMCertificateFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(where: input.hasBlock)
            && !input.hasBlock("PUBLIC KEY")
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let kind = input.context.kind ?? .cert
        let certificates = try CertificateFile.certificates(in: input.bytes, from: input.context.path)
        var members: [PinSet.Member] = []
        var known: Set<PinSet.Member> = []
        for (index, der) in certificates.enumerated() {
            do {
                let digests = try CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester())
                let member = PinSet.Member(Pin(kind: kind, digest: digests[kind]))
                if known.insert(member).inserted { members.append(member) }
            } catch {
                throw input.refuse(
                    "has a malformed certificate \(index): \(error)", remedy: "give certificates as PEM or DER")
            }
        }
        let position = input.context.position ?? (kind == .cert ? .leaf : .any)
        return Imported(
            profile: try input.profile(of: [PinSet(members, position: position)]),
            material: PinMaterial(certificates: certificates))
    }
}

/// A certificate, DER.
enum DERCertificateFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        (try? CertificateSlices(certificate: input.bytes.span)) != nil
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported { try PEMCertificateFormat.read(input) }
}

/// Writes the certificates that pins are of, as far as they are known.
extension PEMCertificateFormat: FormatWriter {
    static let traits = FormatTraits(kinds: Set(PinKind.allCases), positions: .unstated(.leaf), hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        Array(certificates(pinned, export, losses: &losses).map(CertificateFile.pem).joined().utf8)
    }

    static func certificates(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        for (host, pin) in pinned.pins {
            guard let der = export.material.certificate(of: pin) else {
                losses.append(
                    FormatLoss("material", host, "a digest does not lead back to a certificate: \(pin) is left out"))
                continue
            }
            if pin.kind != .cert {
                losses.append(
                    FormatLoss(
                        "kind", host,
                        "\(pin) is written as a certificate that has the key; \(Fix.Step.readAsKind(pin.kind))"))
            }
            if !certificates.contains(der) { certificates.append(der) }
        }
        return certificates
    }
}

/// Writes the one certificate that a pin is of, DER.
extension DERCertificateFormat: FormatWriter {
    static let traits = PEMCertificateFormat.traits

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let certificates = PEMCertificateFormat.certificates(pinned, export, losses: &losses)
        return OnlyOne.of(certificates, losses: &losses)
    }
}

/// The rule of formats for one value.
enum OnlyOne {
    static func of(_ values: [[UInt8]], losses: inout [FormatLoss]) -> [UInt8] {
        if values.count > 1 {
            losses.append(
                FormatLoss("several", "the file", "it holds one; the other \(values.count - 1) are left out"))
        }
        return values.first ?? []
    }
}

extension [PinnedHost] {
    /// Every pin, with its host's name.
    var pins: [(host: String, pin: Pin)] {
        flatMap { host in host.sets.flatMap(\.members).map { (host.label, $0.pin) } }
    }
}
