import ProbeKit

/// Writes the certificates that pins are of, as far as they are known.
enum PEMCertificateWriter: FormatWriter {
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
                        "\(pin) is written as a certificate that has the key; read it back with --kind \(pin.kind)"))
            }
            if !certificates.contains(der) { certificates.append(der) }
        }
        return certificates
    }
}

/// Writes the one certificate that a pin is of, DER.
enum DERCertificateWriter: FormatWriter {
    static let traits = PEMCertificateWriter.traits

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        let certificates = PEMCertificateWriter.certificates(pinned, export, losses: &losses)
        return OnlyOne.of(certificates, losses: &losses)
    }
}

/// The rule of formats that hold one value.
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
