import ProbeKit

/// Certificates, PEM: any number of blocks. They are pinned whole, or by their key if the caller asks for it.
enum PEMCertificateReader: FormatReader {
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
                    "has a certificate \(index) that is none: \(error)", remedy: "give certificates as PEM or DER")
            }
        }
        let position = input.context.position ?? (kind == .cert ? .leaf : .any)
        return Imported(
            profile: try input.profile(of: [PinSet(members, position: position)]),
            material: PinMaterial(certificates: certificates))
    }
}

/// A certificate, DER.
enum DERCertificateReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        (try? CertificateSlices(certificate: input.bytes.span)) != nil
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported { try PEMCertificateReader.read(input) }
}
