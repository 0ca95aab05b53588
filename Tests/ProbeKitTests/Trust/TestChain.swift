import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTrust
import SwiftASN1
import X509

/// Chains made of recipes for one question, and the reference verifier's answer.
enum TestChain {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))
    static let verifier = ReferenceVerifier()

    /// Returns the answer about a leaf below authorities, each issued by the one after it; the last one is the root.
    static func reading(
        leaf: LabCertificateRecipe = .leaf("test"), below authorities: [LabCertificateRecipe] = [.root],
        anchors: Int = 1, purpose: TrustQuestion.Purpose = .server, name: String? = "good.test",
        policies: TrustQuestion.PolicyInputs = TrustQuestion.PolicyInputs()
    ) async throws -> TrustReading {
        let recipes = [leaf] + authorities
        let chain = try recipes.indices.map { index in
            try pki.issue(recipes[index], by: recipes[min(index + 1, recipes.count - 1)])
        }
        return await verifier.evaluate(
            TrustQuestion(
                chain: chain.dropLast(anchors),
                anchors: TrustAnchors(name: "test", certificates: chain.suffix(anchors)),
                name: try name.map { try ServerName($0) }, instant: pki.epoch, purpose: purpose,
                policies: policies))
    }

    static func reading(
        chain: [[UInt8]], anchors: [[UInt8]], staple: TrustQuestion.Staple = .notAsked, name: String = "good.test"
    ) async throws -> TrustReading {
        await verifier.evaluate(
            TrustQuestion(
                chain: chain, anchors: TrustAnchors(name: "test", certificates: anchors), name: try ServerName(name),
                instant: pki.epoch, staple: staple))
    }

    /// Returns a CA that signs itself, unless another issues it.
    static func authority(
        _ name: String, _ change: (inout LabCertificateRecipe) -> Void = { _ in }
    ) -> LabCertificateRecipe {
        .authority(name, issuer: nil, change: change)
    }

    /// Returns a certificate as the reference verifier reads it.
    static func parsed(
        _ recipe: LabCertificateRecipe, by issuer: LabCertificateRecipe
    ) throws -> ParsedCertificate {
        try ParsedCertificate.parse(pki.issue(recipe, by: issuer)).get()
    }

    static func constraints(permitted: [GeneralName] = [], excluded: [GeneralName] = []) throws -> LabExtension {
        try encoded(
            Certificate.Extension(
                NameConstraints(permittedSubtrees: permitted, excludedSubtrees: excluded), critical: true))
    }

    static func names(_ names: [GeneralName]) throws -> LabExtension {
        try encoded(Certificate.Extension(SubjectAlternativeNames(names), critical: false))
    }

    static func encoded(_ ext: Certificate.Extension) -> LabExtension {
        // An identifier made of text arcs is one the encoder reads back.
        let arcs = "\(ext.oid)".split(separator: ".").compactMap { UInt($0) }
        return LabExtension(oid: arcs, isCritical: ext.critical, value: Array(ext.value))
    }

    /// Returns the certificate with another SubjectPublicKeyInfo; its signature no longer holds.
    static func replacingKey(of certificate: [UInt8], with spki: [UInt8]) throws -> [UInt8] {
        let (body, rest) = try parts(of: certificate)
        var fields = body
        fields[6] = spki
        return rebuilt(fields, rest)
    }

    /// Returns the certificate with another signature algorithm, in both places; its signature no longer holds.
    static func replacingAlgorithm(of certificate: [UInt8], with oid: ASN1ObjectIdentifier) throws -> [UInt8] {
        let (body, rest) = try parts(of: certificate)
        var algorithm = DER.Serializer()
        try algorithm.serializeSequenceOf([oid])
        var fields = body
        fields[2] = algorithm.serializedBytes
        return rebuilt(fields, [algorithm.serializedBytes, rest[1]])
    }

    private static func parts(of certificate: [UInt8]) throws -> (body: [[UInt8]], rest: [[UInt8]]) {
        func children(_ node: ASN1Node) throws -> [ASN1Node] {
            try DER.sequence(node, identifier: .sequence) { fields in
                var nodes: [ASN1Node] = []
                while let node = fields.next() { nodes.append(node) }
                return nodes
            }
        }
        let outer = try children(DER.parse(certificate))
        return (try children(outer[0]).map { Array($0.encodedBytes) }, outer.dropFirst().map { Array($0.encodedBytes) })
    }

    private static func rebuilt(_ body: [[UInt8]], _ rest: [[UInt8]]) -> [UInt8] {
        var coder = DER.Serializer()
        coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendConstructedNode(identifier: .sequence) { coder in
                for field in body { coder.serializeRawBytes(field) }
            }
            for field in rest { coder.serializeRawBytes(field) }
        }
        return coder.serializedBytes
    }

    /// Returns a name of common name attributes in the given string types.
    static func name(_ attributes: [(text: String, tag: ASN1Identifier)]) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            for attribute in attributes {
                try coder.appendConstructedNode(identifier: .set) { coder in
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        try coder.serialize([2, 5, 4, 3] as ASN1ObjectIdentifier)
                        coder.appendPrimitiveNode(identifier: attribute.tag) {
                            $0.append(contentsOf: attribute.text.utf8)
                        }
                    }
                }
            }
        }
        return coder.serializedBytes
    }
}

extension LabCertificateRecipe {
    static let root = LabCertificateRecipe.authority("Test Root", issuer: nil)
    static let middle = LabCertificateRecipe.authority("Test Intermediate", issuer: nil)

    func with(_ extensions: LabExtension...) -> LabCertificateRecipe {
        var copy = self
        copy.extensions += extensions
        return copy
    }

    func changed(_ change: (inout LabCertificateRecipe) throws -> Void) rethrows -> LabCertificateRecipe {
        var copy = self
        try change(&copy)
        return copy
    }
}
