import Crypto
import SwiftASN1

/// Writes CMS messages as DER, including faulty ones, which no library would.
struct LabCMSEncoder {
    /// A signer's certificate, its key, and the certificates above it.
    struct Identity {
        let certificate: [UInt8]
        let key: LabKey
        let issuers: [[UInt8]]
    }

    let recipe: LabCMSRecipe
    let identities: [Identity]
    /// Further certificates in the message, DER.
    let further: [[UInt8]]

    func encode() throws -> LabCMSMessage {
        let parts = try zip(recipe.signers, identities).map { try signature($0, $1) }
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize([1, 2, 840, 113549, 1, 7, 2] as ASN1ObjectIdentifier)
            try coder.appendConstructedNode(identifier: Self.tag(0)) { coder in
                try coder.appendConstructedNode(identifier: .sequence) {
                    try encodeSignedData(into: &$0, parts.map(\.info))
                }
            }
        }
        let der = coder.serializedBytes + recipe.trailer
        let bytes = recipe.isPEM ? Array((PEMDocument(type: "CMS", derBytes: der).pemString + "\n").utf8) : der
        return LabCMSMessage(
            bytes: bytes, certificates: identities.map(\.certificate),
            signedBytes: parts.first?.signed ?? recipe.content)
    }

    private func encodeSignedData(into coder: inout DER.Serializer, _ infos: [[UInt8]]) throws {
        try coder.serialize(recipe.signers.contains(where: \.isNamedByKey) ? 3 : 1)
        let digests = Set(recipe.signers.map(\.digest))
        Self.appendSet(try digests.map { try Self.bytes($0.serialize) }, to: &coder)
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(ASN1ObjectIdentifier(elements: recipe.contentType))
            guard let content = recipe.attachedContent else { return }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
                try $0.serialize(ASN1OctetString(contentBytes: content[...]))
            }
        }
        var certificates = further
        if recipe.hasCertificates { certificates += identities.map(\.certificate) }
        if recipe.hasIntermediates { certificates += identities.flatMap(\.issuers) }
        if !certificates.isEmpty { Self.appendSet(Array(Set(certificates)), tag: Self.tag(0), to: &coder) }
        Self.appendSet(infos, to: &coder)
    }

    /// Returns a SignerInfo, and the bytes that its signature is over.
    private func signature(
        _ signer: LabCMSRecipe.Signer, _ identity: Identity
    ) throws -> (info: [UInt8], signed: [UInt8]) {
        let attributes = try attributes(of: signer)
        let signed = attributes.map { list in Self.bytes { Self.append(list, tag: .set, to: &$0) } } ?? recipe.content
        let scheme = signer.signature ?? identity.key.kind.signature(signer.digest)
        var signature = try identity.key.sign(signed, scheme)
        if signer.breaksSignature { signature[signature.count - 1] ^= 1 }
        let info = try Self.bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(signer.isNamedByKey ? 3 : 1)
                if signer.isNamedByKey {
                    coder.appendPrimitiveNode(identifier: Self.tag(0)) {
                        $0.append(contentsOf: identity.key.identifier)
                    }
                } else {
                    let (issuer, serial) = try Self.name(of: identity.certificate)
                    coder.appendConstructedNode(identifier: .sequence) { coder in
                        coder.serializeRawBytes(issuer)
                        coder.serializeRawBytes(serial)
                    }
                }
                try signer.digest.serialize(into: &coder)
                if let attributes { Self.append(attributes, tag: Self.tag(0), to: &coder) }
                try scheme.serialize(into: &coder)
                try coder.serialize(ASN1OctetString(contentBytes: signature[...]))
            }
        }
        return (info, signed)
    }

    /// Returns the signed attributes in order; nil if there are none.
    private func attributes(of signer: LabCMSRecipe.Signer) throws -> [[UInt8]]? {
        let digest = Self.octets(signer.digest.hash(recipe.content))
        let other = Self.octets(signer.digest.hash(recipe.content + [0]))
        func type(_ elements: [UInt]) throws -> [UInt8] {
            try Self.attribute(3, [try Self.bytes { try $0.serialize(ASN1ObjectIdentifier(elements: elements)) }])
        }
        func digests(_ values: [[UInt8]]) throws -> [UInt8] { try Self.attribute(4, values) }
        let ordinary = try type(recipe.contentType)
        return switch signer.attributes {
        case .none: nil
        case .standard: Self.sorted([ordinary, try digests([digest])])
        case .withoutContentType: [try digests([digest])]
        case .withoutMessageDigest: [ordinary]
        case .otherMessageDigest: Self.sorted([ordinary, try digests([other])])
        case .otherContentType: Self.sorted([try type([1, 2, 840, 113549, 1, 7, 2]), try digests([digest])])
        case .twoMessageDigests: Self.sorted([ordinary, try digests(Self.sorted([digest, other]))])
        case .messageDigestTwice: Self.sorted([ordinary, try digests([digest]), try digests([other])])
        case .unsorted: Self.sorted([ordinary, try digests([digest])]).reversed()
        }
    }

    /// Returns an attribute of the arc pkcs-9.
    private static func attribute(_ number: UInt, _ values: [[UInt8]]) throws -> [UInt8] {
        try bytes { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(ASN1ObjectIdentifier(elements: [1, 2, 840, 113549, 1, 9, number]))
                append(values, tag: .set, to: &coder)
            }
        }
    }

    /// Returns issuer and serial number in a certificate's own encoding.
    private static func name(of certificate: [UInt8]) throws -> (issuer: ArraySlice<UInt8>, serial: ArraySlice<UInt8>) {
        let frame = try children(of: DER.parse(certificate))
        guard let body = frame.first else { throw LabError.unreadable("a certificate has no body") }
        let fields = try children(of: body)
        guard let index = fields.firstIndex(where: { $0.identifier == .integer }), fields.count > index + 2 else {
            throw LabError.unreadable("a certificate has no serial number")
        }
        return (fields[index + 2].encodedBytes, fields[index].encodedBytes)
    }

    private static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else {
            throw LabError.unreadable("a certificate has no fields")
        }
        return Array(nodes)
    }

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    private static func octets(_ bytes: [UInt8]) -> [UInt8] { [0x04, UInt8(bytes.count)] + bytes }

    private static func bytes(_ write: (inout DER.Serializer) throws -> Void) rethrows -> [UInt8] {
        var coder = DER.Serializer()
        try write(&coder)
        return coder.serializedBytes
    }

    private static func append(_ elements: [[UInt8]], tag: ASN1Identifier, to coder: inout DER.Serializer) {
        coder.appendConstructedNode(identifier: tag) { coder in
            for element in elements { coder.serializeRawBytes(element) }
        }
    }

    /// Returns the elements in the order of DER.
    private static func sorted(_ elements: [[UInt8]]) -> [[UInt8]] {
        elements.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func appendSet(_ elements: [[UInt8]], tag: ASN1Identifier = .set, to coder: inout DER.Serializer) {
        append(sorted(elements), tag: tag, to: &coder)
    }
}

extension LabCMSRecipe.Digest {
    fileprivate func serialize(into coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(oid)
            if self == .md5 || self == .sha1 { try coder.serialize(ASN1Null()) }
        }
    }

    private var oid: ASN1ObjectIdentifier {
        switch self {
        case .md5: [1, 2, 840, 113549, 2, 5]
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    fileprivate func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .md5: Array(Insecure.MD5.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}

extension LabKey.Kind {
    /// Returns the algorithm of a key and a digest.
    fileprivate func signature(_ digest: LabCMSRecipe.Digest) -> LabSignature {
        switch (self, digest) {
        case (.ed25519, _): .ed25519
        case (.p256, .sha384), (.p384, .sha384): .ecdsaSHA384
        case (.p256, .sha512), (.p384, .sha512): .ecdsaSHA512
        case (.p256, _), (.p384, _): .ecdsaSHA256
        case (_, .sha1), (_, .md5): .rsaSHA1
        case (_, .sha256): .rsaSHA256
        case (_, .sha384): .rsaSHA384
        case (_, .sha512): .rsaSHA512
        }
    }
}

/// A CMS message of the lab, and the certificates it was signed with.
public struct LabCMSMessage: Sendable {
    /// The message, DER or PEM.
    public let bytes: [UInt8]
    /// The signers' certificates as DER, in the order of the recipe.
    public let certificates: [[UInt8]]
    /// The bytes of the first signature: the signed attributes as a SET, or the content.
    public let signedBytes: [UInt8]
}

extension LabPKI {
    /// Signs a message; its certificates are new each time.
    public func sign(_ recipe: LabCMSRecipe) throws -> LabCMSMessage {
        var identities: [LabCMSEncoder.Identity] = []
        for signer in recipe.signers {
            let certificate = signer.certificate
            identities.append(
                LabCMSEncoder.Identity(
                    certificate: try issue(certificate), key: try key(certificate.key),
                    issuers: try (certificate.issuer?.pathBelowRoot ?? []).map(self.certificate(of:))))
        }
        return try LabCMSEncoder(
            recipe: recipe, identities: identities, further: recipe.furtherAuthorities.map(certificate(of:))
        ).encode()
    }
}
