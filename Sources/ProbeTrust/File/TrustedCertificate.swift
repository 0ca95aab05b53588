import SwiftASN1

/// The content of a `TRUSTED CERTIFICATE` block: a certificate, followed by OpenSSL's own data about it
/// (`X509_CERT_AUX`), above all the purposes it is trusted for or rejected for.
struct TrustedCertificate {
    /// The certificate without the data after it.
    let der: [UInt8]
    /// True if it is restricted to purposes without TLS servers, or rejected for TLS servers.
    let isRejectedForServers: Bool

    private static let serverPurposes: [ASN1ObjectIdentifier] = [[1, 3, 6, 1, 5, 5, 7, 3, 1], [2, 5, 29, 37, 0]]

    /// - Throws: an error of the DER parser.
    init(_ bytes: [UInt8]) throws {
        let (certificate, auxiliary) = try Self.split(bytes)
        der = certificate
        guard !auxiliary.isEmpty else {
            isRejectedForServers = false
            return
        }
        var (trusted, rejected): ([ASN1ObjectIdentifier]?, [ASN1ObjectIdentifier]?)
        for field in try CertificateFrame.children(of: DER.parse(auxiliary)) {
            switch field.identifier {
            case .sequence: trusted = try Self.purposes(in: field, .sequence)
            case Self.rejection: rejected = try Self.purposes(in: field, Self.rejection)
            default: continue
            }
        }
        isRejectedForServers =
            trusted.map { !$0.contains(where: Self.serverPurposes.contains) } ?? false
            || rejected?.contains(where: Self.serverPurposes.contains) ?? false
    }

    private static let rejection = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)

    private static func purposes(
        in node: ASN1Node, _ identifier: ASN1Identifier
    ) throws -> [ASN1ObjectIdentifier] {
        try CertificateFrame.children(of: node, identifier: identifier).map { try ASN1ObjectIdentifier(derEncoded: $0) }
    }

    /// Returns the first DER value, and the bytes after it.
    private static func split(_ bytes: [UInt8]) throws -> (first: [UInt8], rest: ArraySlice<UInt8>) {
        // Wrapped in a sequence, two values are one that the parser splits.
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { $0.serializeRawBytes(bytes) }
        let values = try CertificateFrame.children(of: DER.parse(coder.serializedBytes))
        guard let first = values.first, values.count <= 2 else {
            throw ASN1Error.invalidASN1Object(reason: "a certificate and at most one value behind it")
        }
        return (Array(first.encodedBytes), values.dropFirst().first?.encodedBytes ?? [])
    }
}
