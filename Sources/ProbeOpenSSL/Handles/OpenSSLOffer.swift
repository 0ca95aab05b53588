import CProbeOpenSSL
package import ProbeKit
import ProbeNet

/// The lists of a ``ClientOffer`` as OpenSSL takes them. What the library does with them is seen in its ClientHello
/// (``OfferCheck``).
package struct OpenSSLOffer: Sendable {
    /// The suites of TLS 1.2 and below, and those of TLS 1.3; nil leaves the library's own.
    private let suites: (String, String)?
    private let groups: String?
    private let signatures: String?

    /// Translates an offer.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`, naming entries that OpenSSL does not have.
    package init(_ offer: ClientOffer) throws(HandshakeFailure) {
        defer { OpenSSLError.clear() }
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else {
            throw OpenSSLError.take("SSL_CTX_new").backendFailure
        }
        defer { unsafe SSL_CTX_free(context) }
        guard let ssl = unsafe SSL_new(context) else { throw OpenSSLError.take("SSL_new").backendFailure }
        defer { unsafe SSL_free(ssl) }
        suites = try offer.cipherSuites.map { names throws(HandshakeFailure) in try unsafe Self.suites(names, ssl) }
        groups = try offer.groups.flatMap { names throws(HandshakeFailure) in
            let unknown = names.filter { unsafe cprobe_ssl_set_groups(ssl, $0) != 1 }
            if !unknown.isEmpty { throw .cannotOffer(unknown, "groups") }
            return names.isEmpty ? nil : names.joined(separator: ":")
        }
        signatures = try offer.signatureAlgorithms.flatMap { names throws(HandshakeFailure) in
            let unknown = names.filter { unsafe cprobe_ssl_set_signatures(ssl, Self.signature($0)) != 1 }
            if !unknown.isEmpty { throw .cannotOffer(unknown, "signature algorithms") }
            return names.isEmpty ? nil : names.map(Self.signature).joined(separator: ":")
        }
    }

    private static func suites(_ names: [String], _ ssl: OpaquePointer) throws(HandshakeFailure) -> (String, String) {
        let numbers = names.map { ClientOffer.Registry.cipherSuites.number(of: $0) ?? 0 }
        let known = numbers.map { number in
            unsafe cprobe_cipher_name(ssl, number).map { unsafe String(cString: $0) }
        }
        let unknown = zip(names, known).filter { $0.1 == nil }.map(\.0)
        if !unknown.isEmpty { throw .cannotOffer(unknown, "cipher suites") }
        func list(isNew: Bool) -> String {
            zip(numbers, known).filter { ($0.0 >> 8 == 0x13) == isNew }.compactMap(\.1).joined(separator: ":")
        }
        return (list(isNew: false), list(isNew: true))
    }

    /// The scheme's name, or the pair of algorithms where OpenSSL has no name.
    private static func signature(_ name: String) -> String {
        guard let number = ClientOffer.Registry.signatureSchemes.number(of: name),
            let digest = [2: "SHA1", 3: "SHA224", 4: "SHA256", 5: "SHA384", 6: "SHA512"][number >> 8],
            let key = [1: "RSA", 2: "DSA", 3: "ECDSA"][number & 0xff]
        else { return name.lowercased() }
        return "\(key)+\(digest)"
    }

    /// Sets the lists of one connection.
    func apply(toConnection ssl: OpaquePointer) throws(OpenSSLError) {
        try apply(
            level: { unsafe SSL_set_security_level(ssl, $0) }, ciphers: { unsafe SSL_set_cipher_list(ssl, $0) },
            suites: { unsafe SSL_set_ciphersuites(ssl, $0) }, groups: { unsafe cprobe_ssl_set_groups(ssl, $0) },
            signatures: { unsafe cprobe_ssl_set_signatures(ssl, $0) })
    }

    /// Sets the lists of a context that someone else made, for its next connection.
    package func apply(toContext context: OpaquePointer) throws(OpenSSLError) {
        try apply(
            level: { unsafe SSL_CTX_set_security_level(context, $0) },
            ciphers: { unsafe SSL_CTX_set_cipher_list(context, $0) },
            suites: { unsafe SSL_CTX_set_ciphersuites(context, $0) },
            groups: { unsafe cprobe_ctx_set_groups(context, $0) },
            signatures: { unsafe cprobe_ctx_set_signatures(context, $0) })
    }

    /// Sets the lists by OpenSSL's functions for a connection or for a context, which return 1 for success.
    private func apply(
        level setLevel: (CInt) -> Void, ciphers setCiphers: (String) -> CInt, suites setSuites: (String) -> CInt,
        groups setGroups: (String) -> CInt, signatures setSignatures: (String) -> CInt
    ) throws(OpenSSLError) {
        OpenSSLError.clear()
        // The client decides which algorithms it offers; keys and signatures are judged by the trust decision.
        setLevel(0)
        if let suites {
            guard suites.0.isEmpty || setCiphers(suites.0) == 1, setSuites(suites.1) == 1 else {
                throw OpenSSLError.take("setting cipher suites")
            }
        }
        if let groups, setGroups(groups) != 1 { throw OpenSSLError.take("setting groups") }
        if let signatures, setSignatures(signatures) != 1 { throw OpenSSLError.take("setting signature algorithms") }
    }
}
