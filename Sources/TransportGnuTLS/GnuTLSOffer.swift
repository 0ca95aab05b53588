import ProbeKit

/// Priority strings of GnuTLS for a ``ClientOffer``.
///
/// GnuTLS offers every combination of the key exchanges, ciphers and MACs that it is given, so that not every list can be
/// offered: what it makes of one is seen in its ClientHello.
enum GnuTLSOffer {
    /// Returns GnuTLS' own defaults with the protocol versions and the lists of an offer in their place.
    static func priority(for versions: ClosedRange<TLSVersion>, _ offer: ClientOffer?) -> String {
        let offered = TLSVersion.allCases.reversed().filter(versions.contains).map { "VERS-TLS\($0.number)" }
        return "NORMAL" + replacement("VERS-ALL", offered)
            + (offer?.cipherSuites.map(Self.suites) ?? "")
            + (offer?.groups.map { replacement("GROUP-ALL", $0.map { "GROUP-" + $0.uppercased() }) } ?? "")
            + (offer?.signatureAlgorithms.map { replacement("SIGN-ALL", $0.flatMap(Self.signatures)) } ?? "")
    }

    /// Checks that GnuTLS has a word for every entry.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`, naming those for which it has none.
    static func check(_ offer: ClientOffer?) throws(HandshakeFailure) {
        let suites = offer?.cipherSuites?.filter { !isKnown(Self.suites([$0])) } ?? []
        if !suites.isEmpty { throw .cannotOffer(suites, "cipher suites") }
        let groups = offer?.groups?.filter { !isKnown(":+GROUP-" + $0.uppercased()) } ?? []
        if !groups.isEmpty { throw .cannotOffer(groups, "groups") }
        let schemes = offer?.signatureAlgorithms?.filter { !isKnown(replacement("SIGN-ALL", signatures($0))) } ?? []
        if !schemes.isEmpty { throw .cannotOffer(schemes, "signature algorithms") }
    }

    private static func isKnown(_ words: String) -> Bool {
        (try? GnuTLSPriority("NORMAL" + words)) != nil
    }

    private static func replacement(_ all: String, _ words: [String]) -> String {
        ":-" + all + words.map { ":+" + $0 }.joined()
    }

    /// The parts of suites like `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` and, of TLS 1.3, `TLS_AES_128_GCM_SHA256`, each
    /// where it first occurs.
    private static func suites(_ names: [String]) -> String {
        var exchanges: [String] = []
        var ciphers: [String] = []
        var macs: [String] = []
        func add(_ word: String, to words: inout [String]) {
            if !words.contains(word) { words.append(word) }
        }
        for name in names {
            let parts = name.uppercased().dropFirst("TLS_".count).split(separator: "_WITH_", maxSplits: 1)
            if parts.count == 2 { add(String(parts[0].replacing("_", with: "-")), to: &exchanges) }
            var words = (parts.last ?? "").split(separator: "_").map(String.init)
            let isAuthenticated = words.contains { ["GCM", "CCM", "POLY1305"].contains($0) }
            if let last = words.last, last.hasPrefix("SHA") || last == "MD5" {
                add(isAuthenticated ? "AEAD" : last == "SHA" ? "SHA1" : last, to: &macs)
                words.removeLast()
            } else {
                add("AEAD", to: &macs)
            }
            add(cipher(words.joined(separator: "-")), to: &ciphers)
        }
        return replacement("KX-ALL", exchanges) + replacement("CIPHER-ALL", ciphers) + replacement("MAC-ALL", macs)
    }

    private static func cipher(_ name: String) -> String {
        switch name {
        case "3DES-EDE-CBC": "3DES-CBC"
        case "RC4-128": "ARCFOUR-128"
        default: name
        }
    }

    /// Returns the IANA name of a signature algorithm as GnuTLS spells it.
    static func scheme(named name: String) -> String? {
        ClientOffer.Registry.signatureSchemes.allNames.first { signatures($0).contains("SIGN-" + name.uppercased()) }
    }

    /// The words for a scheme: of those that TLS 1.3 ties to a curve GnuTLS has one for each version.
    private static func signatures(_ name: String) -> [String] {
        guard let number = ClientOffer.Registry.signatureSchemes.number(of: name) else { return ["SIGN-" + name] }
        let digest = [2: "SHA1", 3: "SHA224", 4: "SHA256", 5: "SHA384", 6: "SHA512"][number >> 8] ?? "UNKNOWN"
        return switch (number >> 8, number & 0xff) {
        case (4...6, 3):
            ["SIGN-ECDSA-\(digest)", "SIGN-ECDSA-SECP\([4: "256", 5: "384", 6: "521"][number >> 8] ?? "")R1-\(digest)"]
        case (2...6, 1): ["SIGN-RSA-\(digest)"]
        case (2...6, 2): ["SIGN-DSA-\(digest)"]
        case (2...3, 3): ["SIGN-ECDSA-\(digest)"]
        case (8, 4): ["SIGN-RSA-PSS-RSAE-SHA256"]
        case (8, 5): ["SIGN-RSA-PSS-RSAE-SHA384"]
        case (8, 6): ["SIGN-RSA-PSS-RSAE-SHA512"]
        case (8, 7): ["SIGN-EDDSA-ED25519"]
        case (8, 8): ["SIGN-EDDSA-ED448"]
        case (8, 9): ["SIGN-RSA-PSS-SHA256"]
        case (8, 10): ["SIGN-RSA-PSS-SHA384"]
        case (8, 11): ["SIGN-RSA-PSS-SHA512"]
        default: ["SIGN-" + name]
        }
    }
}
