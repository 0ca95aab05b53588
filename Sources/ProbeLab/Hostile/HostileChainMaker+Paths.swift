import Crypto
import ProbeKit

/// Sets of certificates between which many paths lead, and answers that take long to check.
extension HostileChainMaker {
    mutating func sameKey() -> HostileChain {
        let count = size(2...400)
        let (first, key) = (name("CA"), HostileKey.key(.p256, 2))
        let length = size(1...3000)
        let hasNames = chance()
        let bytes = min(length, Self.bytes / count)
        let certificates = (0..<count).map { index -> [UInt8] in
            let isBelowRoot = index % 3 == 0
            var certificate = HostileCertificate(
                subject: first, issuer: isBelowRoot ? Self.rootName : first, key: key,
                signer: isBelowRoot ? Self.root : key, isAuthority: true, isExpired: true, serial: serial(index))
            if hasNames {
                let name = Array("\(index)".utf8) + [UInt8](repeating: 0x61, count: bytes)
                certificate.extensions = [alternativeNames(DERBytes.value(0x82, name))]
            }
            return certificate.der
        }
        return chain([leaf(issuer: first, signer: key).der] + certificates)
    }

    mutating func namesakes(_ kind: HostileKey.Kind) -> HostileChain {
        let count = size(2...400)
        let names = (0..<number(1...3)).map { name("CA \($0)") }
        let certificates = (0..<count).map { index in
            HostileCertificate(
                subject: names[index % names.count], issuer: names[(index + 1) % names.count],
                key: HostileKey.key(kind, 3 + index), pretended: HostileKey.key(kind, index), isAuthority: true,
                serial: serial(index)
            ).der
        }
        var leaf = leaf(issuer: names[0])
        leaf.signer = nil
        leaf.pretended = HostileKey.key(kind, 1)
        return chain([leaf.der] + certificates)
    }

    mutating func ladders() -> HostileChain {
        let (steps, variants) = (number(2...30), number(2...4))
        let length = min(size(1...1900), Self.bytes / (4 * steps * variants))
        let (isExpired, isLeafExpired) = (number(0...3) != 0, number(0...3) == 0)
        var (issuer, signer) = (Self.rootName, Self.root)
        var certificates: [[UInt8]] = []
        for step in 0..<steps {
            let name = name(String(repeating: "x", count: length) + "\(step)")
            let key = HostileKey.key(.p256, 2 + step)
            for variant in 0..<variants {
                let certificate = HostileCertificate(
                    subject: name, issuer: issuer, key: key, signer: signer, isAuthority: true, isExpired: isExpired,
                    extensions: [alternativeNames(DERBytes.value(0x82, Array("\(variant)".utf8)))])
                certificates.append(certificate.der)
            }
            (issuer, signer) = (name, key)
        }
        return chain([leaf(issuer: issuer, signer: signer, isExpired: isLeafExpired).der] + certificates.reversed())
    }

    mutating func mesh(hasAnchor: Bool) -> HostileChain {
        let size = number(3...20)
        let names = (0..<size).map { name("Mesh \($0)") }
        let isExpired = hasAnchor && chance()
        var certificates: [[UInt8]] = []
        for subject in 0..<size {
            for issuer in 0..<size where subject != issuer && (size < 12 || chance()) {
                certificates.append(
                    HostileCertificate(
                        subject: names[subject], issuer: names[issuer], key: HostileKey.key(.p256, 2 + subject),
                        signer: HostileKey.key(.p256, 2 + issuer), isAuthority: true,
                        extensions: number(0...9) == 0
                            ? [DERBytes.certificateExtension(99, [5, 0], isCritical: true)] : []
                    ).der)
            }
        }
        let anchor = HostileCertificate(
            subject: names[size - 1], issuer: names[size - 1], key: HostileKey.key(.p256, 1 + size),
            signer: HostileKey.key(.p256, 1 + size), isAuthority: true, isExpired: isExpired
        ).der
        let leaf = leaf(issuer: names[0], signer: HostileKey.key(.p256, 2), isExpired: number(0...3) == 0)
        return chain([leaf.der] + certificates, anchors: hasAnchor ? [anchor] : nil)
    }

    mutating func longPaths() -> HostileChain {
        let count = size(20...300)
        let certificates = path((0..<count).map { name("CA \($0)") }, isExpired: chance())
        let leaf = leaf(issuer: name("CA \(count - 1)"), signer: HostileKey.key(.p256, 1 + count))
        // Twice the number of paths with each certificate that is there twice, by another serial.
        return chain([leaf.der] + certificates + (chance() ? certificates : []))
    }

    mutating func staples() -> HostileChain {
        let leaf = leaf(issuer: name("CA 0"), signer: HostileKey.key(.p256, 2)).der
        let authorities = path([name("CA 0")])
        let kind = HostileKey.Kind.allCases[number(0...(HostileKey.Kind.allCases.count - 1))]
        let time = DERBytes.value(0x18, Array("20260101000000Z".utf8))
        let rawKey = Array(HostileKey.key(.p256, 2).spki.suffix(65))
        let hashes = [Array(Insecure.SHA1.hash(data: name("CA 0"))), Array(Insecure.SHA1.hash(data: rawKey))]
        let id = DERBytes.sequence(
            DERBytes.sequence([0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 5, 0]), DERBytes.value(4, hashes[0]),
            DERBytes.value(4, hashes[1]), DERBytes.value(2, [0x40]))
        let entry = DERBytes.sequence(
            id, [0x80, 0x00], time, DERBytes.value(0xa0, DERBytes.value(0x18, Array("20300101000000Z".utf8))))
        let data = DERBytes.sequence(
            DERBytes.value(0xa2, DERBytes.value(4, Array(repeating: 1, count: 20))), time,
            DERBytes.value(0x30, Array(repeatElement(entry, count: size(1...900)).joined())))
        let responders = (0..<size(0...12)).map { index in
            HostileCertificate(
                subject: name("Responder \(index)"), issuer: name("CA 0"), key: HostileKey.key(kind, 9 + index),
                signer: HostileKey.key(.p256, 2),
                extensions: [
                    DERBytes.certificateExtension(37, DERBytes.sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 9]))
                ]
            ).der
        }
        let signer = HostileKey.key(kind, 8)
        let basic = DERBytes.sequence(
            data, signer.algorithm, DERBytes.bits(signer.signature),
            DERBytes.value(0xa0, DERBytes.value(0x30, Array(responders.joined()))))
        let response = DERBytes.sequence(
            [0x0a, 0x01, 0x00],
            DERBytes.value(
                0xa0,
                DERBytes.sequence([0x06, 0x09, 0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1], DERBytes.value(0x04, basic))))
        var chain = chain([leaf] + authorities + path([name("CA 0")]))
        chain.staple = .present(response)
        return chain
    }

    mutating func crowds() -> HostileChain {
        let count = size(10...5000)
        let kind = number(0...2)
        let others = (0..<count).map { index -> [UInt8] in
            let number = serial(index)
            switch kind {
            case 0: return DERBytes.value(0x30, number)
            // Weak ones, which are parsed twice.
            case 1:
                var weak = HostileCertificate(
                    subject: name("CA"), issuer: name("CA"), key: HostileKey.key(.p256, index), isAuthority: true,
                    serial: number)
                weak.pretended = HostileKey(
                    spki: [], signer: nil,
                    algorithm: DERBytes.sequence([0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01]),
                    signature: [0])
                return weak.der
            default:
                return HostileCertificate(
                    subject: name("CA"), issuer: name("None \(index)"), key: HostileKey.key(.p256, index),
                    isAuthority: true, serial: number
                ).der
            }
        }
        return chain([leaf(issuer: name("CA")).der] + others)
    }

    mutating func damaged() -> HostileChain {
        let families = HostileChain.Family.allCases.dropLast()
        var chain = HostileChain.make(families[number(0...(families.count - 1))], seed: next())
        for index in chain.chain.indices where number(0...3) == 0 {
            for _ in 0..<number(1...4) {
                let place = number(0...(chain.chain[index].count - 1))
                chain.chain[index][place] ^= UInt8(1 << number(0...7))
            }
        }
        return HostileChain(
            family: family, seed: seed, chain: chain.chain, anchors: chain.anchors, staple: chain.staple)
    }
}
