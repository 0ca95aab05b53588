public import ProbeKit

/// The part of a client's offer that a stack of today can send, in the client's order, and what is missing from it.
///
/// No stack here has RC4, DES, export ciphers, static Diffie-Hellman or SSL 3.0 any more. A connection with what is left
/// shows that the client connects; a refusal shows nothing, where the server may have wanted what was left out.
public struct ReducedOffer: Hashable, Sendable {
    /// The offer that is sent; nil leaves the ClientHello to the stack.
    public let offer: ClientOffer?
    /// The versions, cipher suites, groups and signature algorithms that are left out.
    public let leftOut: [String]

    /// Reduces an offer.
    ///
    /// Without being named, what changes nothing is left out too: an entry that is there twice, and a suite of TLS 1.3
    /// without that version. Suites of TLS 1.3 come first, since stacks put them there and the version decides between them
    /// and the others.
    public init(_ whole: ClientOffer) {
        var offer = whole
        var leftOut: [String] = []
        let hasTLS13 = whole.versions?.contains(TLSVersion.tls13.rawValue) ?? true
        func reduce(_ list: inout [String]?, _ isKept: (String) -> Bool) {
            guard let whole = list else { return }
            var kept: [String] = []
            for name in whole where isKept(name) && !kept.contains(name) { kept.append(name) }
            leftOut += whole.filter { !isKept($0) }
            list = kept
        }
        reduce(&offer.versions) { TLSVersion(rawValue: $0) != nil }
        reduce(&offer.cipherSuites, Self.isSuiteOfToday)
        offer.cipherSuites = offer.cipherSuites.map { suites in
            (hasTLS13 ? suites.filter(Self.isOfTLS13) : []) + suites.filter { !Self.isOfTLS13($0) }
        }
        // Below TLS 1.3 no stack offers the groups of finite fields.
        reduce(&offer.groups) { Self.groups.contains($0) && (hasTLS13 || !$0.hasPrefix("ffdhe")) }
        reduce(&offer.signatureAlgorithms) { !$0.hasPrefix("0x") }
        self.offer = offer == ClientOffer() ? nil : offer
        self.leftOut = leftOut
    }

    private static func isOfTLS13(_ suite: String) -> Bool { !suite.contains("_WITH_") }

    /// The suites of OpenSSL's default build, which has the most.
    private static func isSuiteOfToday(_ name: String) -> Bool {
        guard !name.hasPrefix("0x") else { return false }
        let gone = [
            "_RC4_", "_RC2_", "_DES_", "_DES40_", "_3DES_", "_IDEA_", "_SEED_", "_EXPORT_", "TLS_ECDH_", "TLS_DH_",
        ]
        return !gone.contains(where: name.contains) && !(name.contains("CAMELLIA") && name.contains("GCM"))
    }

    /// The groups of OpenSSL 3.0.
    private static let groups: Set = [
        "sect163k1", "sect163r2", "sect233k1", "sect233r1", "sect283k1", "sect283r1", "sect409k1", "sect409r1",
        "sect571k1", "sect571r1", "secp192r1", "secp224k1", "secp224r1", "secp256k1", "secp256r1", "secp384r1",
        "secp521r1", "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1", "x25519", "x448", "ffdhe2048",
        "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192",
    ]
}
