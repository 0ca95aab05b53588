import Crypto
import ProbeKit

/// Makes one ``HostileChain``.
struct HostileChainMaker {
    private let family: HostileChain.Family
    private let seed: UInt64
    private var state: UInt64

    init(family: HostileChain.Family, seed: UInt64) {
        self.family = family
        self.seed = seed
        state = seed
    }

    /// The maximum size in a handshake; chains from files may be longer.
    private static let bytes = HandshakeLimits.certificateMessageBytes

    private static let root = HostileKey.key(.p256, 0)
    private static let rootName = DERBytes.name([DERBytes.commonName("Root")])
    private static let anchor = HostileCertificate(
        subject: rootName, issuer: rootName, key: root, signer: root, isAuthority: true
    ).der

    mutating func make() -> HostileChain {
        switch family {
        case .longSubjects: longSubjects("x")
        case .unicodeSubjects: longSubjects("ǅ\u{301}é")
        case .manyAttributes: manyAttributes()
        case .directoryNames: directoryNames()
        case .manyExtensions: manyExtensions()
        case .constraints: constraints()
        case .alternativeNames: alternativeNames()
        case .sameKey: sameKey()
        case .namesakesP256: namesakes(.p256)
        case .namesakesP384: namesakes(.p384)
        case .namesakesP521: namesakes(.p521)
        case .namesakesEd25519: namesakes(.ed25519)
        case .namesakesRSA4096: namesakes(.rsa4096)
        case .namesakesRSA8192: namesakes(.rsa8192)
        case .namesakesSlowRSA: namesakes(.rsa8192Slow)
        case .ladders: ladders()
        case .mesh: mesh(hasAnchor: true)
        case .meshWithoutAnchor: mesh(hasAnchor: false)
        case .longPaths: longPaths()
        case .staples: staples()
        case .crowds: crowds()
        case .damaged: damaged()
        }
    }

    // MARK: Numbers

    /// Steele's SplitMix, so that a chain is reproducible.
    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns a size; small numbers are as likely as large ones.
    private mutating func size(_ range: ClosedRange<Int>) -> Int {
        number(0...2) == 0
            ? range.upperBound
            : number(0...1) == 0
                ? number(range) : number(range.lowerBound...min(range.upperBound, range.lowerBound + 40))
    }

    private mutating func chance() -> Bool { next() & 1 == 0 }

    // MARK: Parts

    private func chain(_ chain: [[UInt8]], anchors: [[UInt8]]? = nil) -> HostileChain {
        HostileChain(family: family, seed: seed, chain: chain, anchors: anchors ?? [Self.anchor])
    }

    private func name(_ text: String) -> [UInt8] { DERBytes.name([DERBytes.commonName(text)]) }

    private func leaf(
        issuer: [UInt8] = rootName, signer: HostileKey = root, extensions: [[UInt8]] = [], isExpired: Bool = false
    ) -> HostileCertificate {
        HostileCertificate(
            subject: name("good.test"), issuer: issuer, key: HostileKey.key(.p256, 1), signer: signer,
            isExpired: isExpired, extensions: [HostileCertificate.goodName] + extensions)
    }

    /// Returns a path of CAs below the root, the last of them first, each modified by `change`.
    private func path(
        _ names: [[UInt8]], isExpired: Bool = false, _ extensions: [[UInt8]] = []
    ) -> [[UInt8]] {
        var (issuer, signer) = (Self.rootName, Self.root)
        var certificates: [[UInt8]] = []
        for (index, name) in names.enumerated() {
            let key = HostileKey.key(.p256, 2 + index)
            certificates.append(
                HostileCertificate(
                    subject: name, issuer: issuer, key: key, signer: signer, isAuthority: true, isExpired: isExpired,
                    extensions: extensions
                ).der)
            (issuer, signer) = (name, key)
        }
        return certificates.reversed()
    }

    private func serial(_ number: Int) -> [UInt8] { [0x40, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] }

    private func alternativeNames(_ names: [UInt8]) -> [UInt8] {
        DERBytes.certificateExtension(17, DERBytes.value(0x30, names))
    }

    // MARK: Names

    private mutating func longSubjects(_ unit: String) -> HostileChain {
        let count = size(1...90)
        let length = min(size(100...20_000), Self.bytes / (2 * count + 2))
        let spaced = chance()
        let isExpired = number(0...3) != 0
        let names = (0..<count).map { index in
            let text = String(repeating: unit, count: max(1, length / unit.utf8.count))
            return name((spaced ? text.replacing("xx", with: "x ") : text) + "\(index)")
        }
        let leaf = leaf(
            issuer: names[count - 1], signer: HostileKey.key(.p256, 1 + count), isExpired: isExpired)
        return chain([leaf.der] + path(names, isExpired: isExpired))
    }

    private mutating func attributes(_ count: Int) -> [[UInt8]] {
        let isShort = chance()
        return (0..<count).map { index in
            isShort
                ? DERBytes.sequence([0x06, 0x01, 0x2a], [0x0c, 0x00]) : DERBytes.commonName("a\(index)", tag: 0x13)
        }
    }

    private mutating func manyAttributes() -> HostileChain {
        var leaf = leaf()
        let count = size(10...60_000)
        let parts = attributes(count)
        leaf.subject =
            switch number(0...2) {
            case 0: DERBytes.name(parts)
            // One set of all, and pairs.
            case 1: DERBytes.value(0x30, DERBytes.value(0x31, Array(parts.joined())))
            default: DERBytes.name(stride(from: 0, to: count - 1, by: 2).map { parts[$0] + parts[$0 + 1] })
            }
        let others = path((0..<number(0...20)).map { _ in DERBytes.name(attributes(200)) })
        return chain([leaf.der] + others)
    }

    private mutating func directoryNames() -> HostileChain {
        let each = size(1...2000)
        let count = size(1...2000)
        let total = min(each * count, 30_000)
        let parts = attributes(each)
        let directory = DERBytes.value(0xa4, DERBytes.name(parts))
        let names = Array(repeatElement(directory, count: max(1, total / each)).joined())
        let subtrees = repeatElement(DERBytes.value(0x30, directory), count: max(1, total / each)).joined()
        let constraint = DERBytes.certificateExtension(
            30, DERBytes.sequence(DERBytes.value(chance() ? 0xa1 : 0xa0, Array(subtrees))), isCritical: true)
        let authorities = path((0..<number(1...5)).map { name("CA \($0)") }, [constraint])
        var leaf = leaf(
            issuer: name("CA \(authorities.count - 1)"), signer: HostileKey.key(.p256, 1 + authorities.count))
        leaf.extensions = [
            DERBytes.certificateExtension(
                17, DERBytes.value(0x30, DERBytes.value(0x82, Array("good.test".utf8)) + names))
        ]
        return chain([leaf.der] + authorities)
    }

    private mutating func generalNames(_ count: Int, isSubtree: Bool) -> [[UInt8]] {
        let (length, kind) = (number(0...3) == 0 ? size(0...300) : number(0...20), number(0...4))
        return (0..<count).map { index in
            let text = String(repeating: "a", count: length) + "\(index).test"
            return switch (kind + (isSubtree ? 0 : index & 0)) % 5 {
            case 0: DERBytes.value(0x82, Array(text.utf8))
            case 1: DERBytes.value(0x81, Array((isSubtree ? text : "me@" + text).utf8))
            case 2: DERBytes.value(0x86, Array((isSubtree ? text : "https://\(text)/").utf8))
            case 3: DERBytes.value(0x87, isSubtree ? [10, 0, 0, 0, 255, 0, 0, 0] : [127, 0, 0, 1])
            default: DERBytes.value(0x82, [])
            }
        }
    }

    private mutating func constraints() -> HostileChain {
        let names = generalNames(size(1...3000), isSubtree: false)
        let subtrees = generalNames(size(1...3000), isSubtree: true).map { DERBytes.value(0x30, $0) }
        let constraint = DERBytes.certificateExtension(
            30, DERBytes.sequence(DERBytes.value(chance() ? 0xa1 : 0xa0, Array(subtrees.joined()))), isCritical: true)
        let alternatives = DERBytes.certificateExtension(
            17, DERBytes.value(0x30, DERBytes.value(0x82, Array("good.test".utf8)) + names.joined()))
        let count = number(1...8)
        let authorities = path((0..<count).map { name("CA \($0)") }, [constraint] + (chance() ? [alternatives] : []))
        var leaf = leaf(issuer: name("CA \(count - 1)"), signer: HostileKey.key(.p256, 1 + count))
        leaf.extensions = [alternatives]
        return chain([leaf.der] + authorities)
    }

    private mutating func alternativeNames() -> HostileChain {
        let length = size(0...300)
        let count = min(size(10...150_000), Self.bytes / (length + 8))
        let others: [UInt8]
        switch number(0...3) {
        case 0:
            others = Array(
                repeatElement(DERBytes.value(0x82, Array(repeating: 0x61, count: length)), count: count).joined())
        case 1: others = Array(repeatElement(DERBytes.value(0x87, [127, 0, 0, 1]), count: count / 2).joined())
        case 2: others = Array(repeatElement(DERBytes.value(0x86, Array("a://b".utf8)), count: count / 2).joined())
        default: others = DERBytes.value(0x82, Array(repeating: 0xc3, count: count * length / 2))
        }
        let names = DERBytes.value(0x82, Array((chance() ? "good.test" : "bad.test").utf8))
        var leaf = leaf()
        leaf.extensions = [DERBytes.certificateExtension(17, DERBytes.value(0x30, others + names))]
        let share = number(1...10)
        guard share > 5 else { return chain([leaf.der]) }
        // The same among several certificates.
        let part = DERBytes.certificateExtension(
            17, DERBytes.value(0x30, Array(others.prefix(others.count / share / (length + 2) * (length + 2)))))
        return chain(
            [self.leaf(issuer: name("CA \(share - 1)"), signer: HostileKey.key(.p256, 1 + share)).der]
                + path((0..<share).map { name("CA \($0)") }, [part]))
    }

    private mutating func manyExtensions() -> HostileChain {
        let count = size(1...96)
        let length = number(0...3) == 0 ? size(0...3000) : 2
        let isCritical = chance()
        let extensions = (0..<number(20...97)).map { index in
            DERBytes.sequence(
                [0x06, 0x03, 0x2a, 0x03, UInt8(index)], isCritical ? [0x01, 0x01, 0xff] : [],
                DERBytes.value(0x04, Array(repeating: 0x05, count: min(length, Self.bytes / (count * 100)))))
        }
        let authorities = path((0..<count).map { name("CA \($0)") }, extensions)
        return chain(
            [
                leaf(issuer: name("CA \(count - 1)"), signer: HostileKey.key(.p256, 1 + count), extensions: extensions)
                    .der
            ]
                + authorities)
    }

    // MARK: Paths

    private mutating func sameKey() -> HostileChain {
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

    private mutating func namesakes(_ kind: HostileKey.Kind) -> HostileChain {
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

    private mutating func ladders() -> HostileChain {
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

    private mutating func mesh(hasAnchor: Bool) -> HostileChain {
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

    private mutating func longPaths() -> HostileChain {
        let count = size(20...300)
        let certificates = path((0..<count).map { name("CA \($0)") }, isExpired: chance())
        let leaf = leaf(issuer: name("CA \(count - 1)"), signer: HostileKey.key(.p256, 1 + count))
        // Twice the number of paths with each certificate that is there twice, by another serial.
        return chain([leaf.der] + certificates + (chance() ? certificates : []))
    }

    // MARK: Others

    private mutating func staples() -> HostileChain {
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

    private mutating func crowds() -> HostileChain {
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

    private mutating func damaged() -> HostileChain {
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
