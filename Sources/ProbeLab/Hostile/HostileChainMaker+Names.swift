import ProbeKit

/// Certificates with names and extensions that take long to read or to compare.
extension HostileChainMaker {
    mutating func longSubjects(_ unit: String) -> HostileChain {
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

    mutating func attributes(_ count: Int) -> [[UInt8]] {
        let isShort = chance()
        return (0..<count).map { index in
            isShort
                ? DERBytes.sequence([0x06, 0x01, 0x2a], [0x0c, 0x00]) : DERBytes.commonName("a\(index)", tag: 0x13)
        }
    }

    mutating func manyAttributes() -> HostileChain {
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

    mutating func directoryNames() -> HostileChain {
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

    mutating func generalNames(_ count: Int, isSubtree: Bool) -> [[UInt8]] {
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

    mutating func constraints() -> HostileChain {
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

    mutating func alternativeNames() -> HostileChain {
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

    mutating func manyExtensions() -> HostileChain {
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
}
