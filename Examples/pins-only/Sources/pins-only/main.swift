// pins-only PIN FILE: which certificate of a chain in a PEM file has the pin. Ends with 1 if none does.
import Foundation
import ProbeKit
import ProbePins

/// Returns the certificates of a PEM file in their order.
func certificates(in text: String) -> [[UInt8]] {
    text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
        part.components(separatedBy: "-----END").first
            .flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }.map { Array($0) }
    }
}

guard CommandLine.arguments.count == 3 else {
    print("usage: pins-only PIN FILE")
    exit(64)
}
let pins = try PinText.parse(CommandLine.arguments[1])
let chain = certificates(in: try String(contentsOfFile: CommandLine.arguments[2], encoding: .utf8))
let digester = SwiftCryptoDigester()
let digests = try chain.map { try CertificateDigests(certificate: $0.span, digester: digester) }

let groups = PinText.groups(pins)
for group in groups {
    let match = digests.indices.first { group.position.includes(index: $0) && group.index.match(digests[$0]) != nil }
    print(match.map { "certificate \($0) has \(group)" } ?? "no certificate has \(group)")
    guard match != nil else { exit(1) }
}
