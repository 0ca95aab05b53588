public import ProbeKit
import SwiftASN1

extension PolicyIdentifier {
    /// Reads an identifier in dotted form, like `2.23.140.1.2.1`; nil if it is not one.
    public init?(_ text: String) {
        var coder = DER.Serializer()
        guard let oid = try? ASN1ObjectIdentifier(dotRepresentation: text), (try? coder.serialize(oid)) != nil,
            let node = try? DER.parse(coder.serializedBytes), case .primitive(let bytes) = node.content
        else { return nil }
        self.init(content: Array(bytes))
    }

    /// The identifier in dotted form; nil if it is not one.
    public var dotted: String? {
        der.flatMap { try? ASN1ObjectIdentifier(derEncoded: $0) }.map {
            $0.oidComponents.map(String.init).joined(separator: ".")
        }
    }

    /// Reads an OBJECT IDENTIFIER.
    init(_ node: ASN1Node) throws {
        guard node.identifier == .objectIdentifier, case .primitive(let bytes) = node.content, let last = bytes.last,
            last & 0x80 == 0
        else { throw ASN1Error.invalidASN1Object(reason: "a policy is not an object identifier") }
        self.init(content: Array(bytes))
    }
}
