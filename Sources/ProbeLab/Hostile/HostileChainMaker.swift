import ProbeKit

/// Makes one ``HostileChain``.
struct HostileChainMaker {
    let family: HostileChain.Family
    let seed: UInt64
    private var numbers: SeededNumbers

    init(family: HostileChain.Family, seed: UInt64) {
        self.family = family
        self.seed = seed
        numbers = SeededNumbers(seed: seed)
    }

    /// The maximum size in a handshake; chains from files may be longer.
    static let bytes = HandshakeLimits.certificateMessageBytes

    static let root = HostileKey.key(.p256, 0)
    static let rootName = DERBytes.name([DERBytes.commonName("Root")])
    static let anchor = HostileCertificate(
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

    mutating func next() -> UInt64 { numbers.next() }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns a size; small numbers are as likely as large ones.
    mutating func size(_ range: ClosedRange<Int>) -> Int {
        number(0...2) == 0
            ? range.upperBound
            : number(0...1) == 0
                ? number(range) : number(range.lowerBound...min(range.upperBound, range.lowerBound + 40))
    }

    mutating func chance() -> Bool { next() & 1 == 0 }

    // MARK: Parts

    func chain(_ chain: [[UInt8]], anchors: [[UInt8]]? = nil) -> HostileChain {
        HostileChain(family: family, seed: seed, chain: chain, anchors: anchors ?? [Self.anchor])
    }

    func name(_ text: String) -> [UInt8] { DERBytes.name([DERBytes.commonName(text)]) }

    func leaf(
        issuer: [UInt8] = rootName, signer: HostileKey = root, extensions: [[UInt8]] = [], isExpired: Bool = false
    ) -> HostileCertificate {
        HostileCertificate(
            subject: name("good.test"), issuer: issuer, key: HostileKey.key(.p256, 1), signer: signer,
            isExpired: isExpired, extensions: [HostileCertificate.goodName] + extensions)
    }

    /// Returns a path of CAs below the root, the last of them first, each modified by `change`.
    func path(
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

    func serial(_ number: Int) -> [UInt8] { [0x40, UInt8(number >> 8 & 0xff), UInt8(number & 0xff)] }

    func alternativeNames(_ names: [UInt8]) -> [UInt8] {
        DERBytes.certificateExtension(17, DERBytes.value(0x30, names))
    }
}
