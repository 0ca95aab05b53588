import Crypto
import ProbeKit
import ProbePlatform

/// A chain before it is encoded: the path from the leaf to the root, and what is presented, trusted and asked.
struct ChainPlan: Sendable {
    /// One of the certificates presented or trusted.
    enum Item: Hashable, Sendable {
        /// A certificate of the path, counted from the leaf.
        case path(Int)
        /// A certificate beside the path.
        case other(Int)
        /// Bytes that are not one.
        case bytes([UInt8])
    }

    /// The leaf first, the root last.
    var path: [CertificatePlan]
    /// Certificates beside the path, each with the one that issues it.
    var others: [(certificate: CertificatePlan, above: CertificatePlan)] = []
    var presented: [Item]
    var anchors: [Item]
    var name: ServerName?
    var purpose = TrustQuestion.Purpose.server
    var maxDepth: Int?

    /// The instant of every question.
    static let instant = Date(timeIntervalSince1970: 1_793_534_400)

    /// The place of the leaf's issuer; nil if that is the root.
    var issuer: Int? { path.count > 2 ? 1 : nil }
    var root: Int { path.count - 1 }

    /// Returns the question about it.
    func question() throws -> TrustQuestion {
        let encoded = try path.indices.map { try path[$0].encode(above: path[min($0 + 1, path.count - 1)]) }
        let beside = try others.map { try $0.certificate.encode(above: $0.above) }
        func bytes(_ item: Item) -> [UInt8] {
            switch item {
            case .path(let place): encoded[place]
            case .other(let place): beside[place]
            case .bytes(let bytes): bytes
            }
        }
        return TrustQuestion(
            chain: presented.map(bytes),
            anchors: TrustAnchors(name: "exploration", certificates: anchors.map(bytes)), name: name,
            instant: Self.instant, purpose: purpose, maxDepth: maxDepth)
    }
}

/// The valid chains that others are made from, the simplest first.
enum ChainShape: String, CaseIterable, Sendable {
    /// A leaf below its root.
    case direct
    /// With an intermediate.
    case usual
    /// With two.
    case deep
    /// With RSA keys above the leaf.
    case rsa
    /// With RSA keys everywhere, the leaf's usage allowing encipherment too.
    case rsaLeaf = "rsa-leaf"
    /// The leaf names an address, which is asked for.
    case address
    /// The leaf has a wildcard.
    case wildcard
    /// The intermediate permits names below one domain.
    case constrained
    /// Intermediate and leaf have a policy.
    case policies
    /// The root is certified by another one too, which is not trusted.
    case crossed

    var plan: ChainPlan {
        var plan = Self.make(depth: self == .direct ? 1 : self == .deep ? 3 : 2, key: self == .rsa || self == .rsaLeaf)
        switch self {
        case .direct, .usual, .deep, .rsa: break
        case .rsaLeaf:
            plan.path[0].key = PlannedKey(.rsa2048, "leaf")
            plan.path[0].put(.ce(15, [0x03, 0x02, 0x05, 0xa0], isCritical: true))
        case .address:
            plan.path[0].put(.ce(17, DERBytes.sequence(DERBytes.value(0x87, [127, 0, 0, 1]))))
            plan.name = .ip(.loopback4)
        case .wildcard:
            plan.path[0].put(.ce(17, DERBytes.sequence(DERBytes.value(0x82, Array("*.good.test".utf8)))))
            plan.name = .dns("www.good.test")
        case .constrained:
            let tree = DERBytes.value(0xa0, DERBytes.sequence(DERBytes.value(0x82, Array("good.test".utf8))))
            plan.path[1].put(.ce(30, DERBytes.sequence(tree), isCritical: true))
        case .policies:
            let policy = DERBytes.sequence(DERBytes.sequence([0x06, 0x03, 0x88, 0x37, 0x01]))
            plan.path[0].put(.ce(32, policy))
            plan.path[1].put(.ce(32, policy))
        case .crossed:
            let other = Self.authority("Other Root")
            var cross = plan.path[plan.root]
            cross.serial = [0x55]
            plan.others.append((cross, other))
            plan.presented.append(.other(0))
        }
        return plan
    }

    private static func make(depth: Int, key isRSA: Bool) -> ChainPlan {
        let upper = ["Root", "Upper", "Issuer"]
        var path: [CertificatePlan] = [leaf]
        for level in (0..<depth).reversed() {
            let name = level == 0 ? upper[0] : level == depth - 1 ? upper[2] : upper[1]
            var certificate = authority(name)
            if isRSA {
                certificate.key = level == 0 ? PlannedKey(.rsa2048, "renewed") : PlannedKey(.rsa2048, "authority")
                certificate.put(.ce(14, DERBytes.value(0x04, identifier(certificate.key))))
            }
            path.append(certificate)
        }
        for place in path.indices.dropLast() {
            path[place].put(.ce(35, DERBytes.sequence(DERBytes.value(0x80, identifier(path[place + 1].key)))))
        }
        return ChainPlan(
            path: path, presented: (0..<depth).map { .path($0) }, anchors: [.path(depth)], name: .dns("good.test"))
    }

    /// The first 160 bits of the key's digest.
    static func identifier(_ key: PlannedKey) -> [UInt8] {
        Array(Array(SHA256.hash(data: (try? key.spki) ?? [])).prefix(20))
    }

    private static var leaf: CertificatePlan {
        let key = PlannedKey(.p256, "leaf")
        return CertificatePlan(
            serial: [0x41], notBefore: utc("261002000000Z"), notAfter: utc("261231000000Z"), subject: name("good.test"),
            key: key,
            extensions: [
                .ce(19, [0x30, 0x00], isCritical: true), .ce(15, [0x03, 0x02, 0x07, 0x80], isCritical: true),
                .ce(37, DERBytes.sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1])),
                .ce(
                    17,
                    DERBytes.sequence(
                        DERBytes.value(0x82, Array("good.test".utf8)), DERBytes.value(0x82, Array("www.good.test".utf8))
                    )),
                .ce(14, DERBytes.value(0x04, identifier(key))),
            ])
    }

    static func authority(_ common: String) -> CertificatePlan {
        let key = PlannedKey(.p256, common)
        return CertificatePlan(
            serial: [0x42, UInt8(common.utf8.count)], notBefore: utc("251101000000Z"), notAfter: utc("351101000000Z"),
            subject: name(common), key: key,
            extensions: [
                .ce(19, [0x30, 0x03, 0x01, 0x01, 0xff], isCritical: true),
                .ce(15, [0x03, 0x02, 0x01, 0x06], isCritical: true), .ce(14, DERBytes.value(0x04, identifier(key))),
            ])
    }

    static func name(_ common: String) -> [UInt8] { DERBytes.name([DERBytes.commonName("\(common)")]) }
    static func utc(_ text: String) -> [UInt8] { DERBytes.value(0x17, Array(text.utf8)) }
    static func generalized(_ text: String) -> [UInt8] { DERBytes.value(0x18, Array(text.utf8)) }
}
