import CNIOBoringSSL
import ProbeKit
import ProbeNet

/// The lists of a ``ClientOffer`` as BoringSSL takes them. What the library does with them is seen in its ClientHello: the
/// suites of TLS 1.3 can't be chosen.
struct BoringSSLOffer: Sendable {
    private let suites: String?
    private let groups: [UInt16]?
    private let signatures: [UInt16]?

    /// Translates an offer.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`, naming suites that BoringSSL does not have.
    init(_ offer: ClientOffer) throws(HandshakeFailure) {
        suites = try offer.cipherSuites.map { names throws(HandshakeFailure) in try Self.suites(names) }
        groups = try offer.groups.map { names throws(HandshakeFailure) in try Self.groups(names) }
        signatures = offer.signatureAlgorithms?.compactMap(ClientOffer.Registry.signatureSchemes.number)
    }

    /// Returns the suites of TLS 1.2 and below.
    private static func suites(_ names: [String]) throws(HandshakeFailure) -> String {
        let numbers = names.map { ClientOffer.Registry.cipherSuites.number(of: $0) ?? 0 }
        let known = numbers.map(Self.name)
        let unknown = zip(names, known).filter { $0.1 == nil }.map(\.0)
        if !unknown.isEmpty { throw .cannotOffer(unknown, "cipher suites") }
        return zip(numbers, known).filter { $0.0 >> 8 != 0x13 }.compactMap(\.1).joined(separator: ":")
    }

    private static func groups(_ names: [String]) throws(HandshakeFailure) -> [UInt16] {
        guard let context = unsafe SSL_CTX_new(TLS_method()) else {
            throw BoringSSLError.take("SSL_CTX_new").backendFailure
        }
        defer {
            unsafe SSL_CTX_free(context)
            BoringSSLError.clear()
        }
        let unknown = names.filter { name in
            guard let number = ClientOffer.Registry.groups.number(of: name) else { return true }
            return unsafe SSL_CTX_set1_group_ids(context, [number], 1) != 1
        }
        if !unknown.isEmpty { throw .cannotOffer(unknown, "groups") }
        return names.compactMap(ClientOffer.Registry.groups.number)
    }

    /// BoringSSL's name of a suite; nil for one that it does not have.
    private static func name(_ number: UInt16) -> String? {
        guard let cipher = unsafe SSL_get_cipher_by_value(number), let name = unsafe SSL_CIPHER_get_name(cipher) else {
            return nil
        }
        return unsafe String(cString: name)
    }

    /// Sets the lists of one connection.
    func apply(toConnection ssl: OpaquePointer) throws(BoringSSLError) {
        BoringSSLError.clear()
        if let suites, !suites.isEmpty, unsafe SSL_set_strict_cipher_list(ssl, suites) != 1 {
            throw BoringSSLError.take("setting cipher suites")
        }
        if let groups, !groups.isEmpty, unsafe SSL_set1_group_ids(ssl, groups, groups.count) != 1 {
            throw BoringSSLError.take("setting groups")
        }
        if let signatures, !signatures.isEmpty,
            unsafe SSL_set_verify_algorithm_prefs(ssl, signatures, signatures.count) != 1
        {
            throw BoringSSLError.take("setting signature algorithms")
        }
    }
}
