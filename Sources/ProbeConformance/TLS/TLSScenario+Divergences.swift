import ProbeKit
import ProbeLab

extension TLSScenario {
    /// The main list: the same outcome on every transport.
    public static let all = pins + trust + names + handshakes + peers

    /// What the stacks are known to judge differently. Each has the outcome that the reference verifier's reading leads
    /// to, which is what a stack without a deviation of its own is held to; a deviation that is no more fails.
    public static let divergences: [TLSScenario] = [
        differing("ends-now", "The last second is valid.", source: "RFC 5280 4.1.2.5", .endsNow, nil),
        differing("cross-signed-first", "Every path is looked for.", source: "RFC 4158", .crossSignedFirst, nil),
        differing(
            "self-issued", "Self-issued authorities do not count in a path length.", source: "RFC 5280 6.1.4 (l)",
            .selfIssued, nil),
        differing(
            "empty-purpose", "An extended key usage has to name servers.", source: "decided: EKU", .emptyPurpose,
            .wrongPurpose),
        differing("any-purpose", "Any purpose is not enough.", source: "decided: EKU", .anyPurpose, .wrongPurpose),
        differing(
            "common-name-only", "A common name is no server's name.", source: "RFC 9525 2", .commonNameOnly,
            .hostnameMismatch),
        differing(
            "no-server-usage", "A key usage without signatures is refused.", source: "decided: key usage",
            .noServerUsage, .wrongPurpose),
        differing(
            "encipherment-usage", "Key encipherment is not enough.", source: "decided: key usage", .enciphermentUsage,
            .wrongPurpose),
        differing(
            "authority-as-leaf", "An authority is no server.", source: "decided: CA as leaf", .authorityAsLeaf,
            .wrongPurpose),
        differing(
            "signing-authority-as-leaf", "Even if it may sign handshakes.", source: "decided: CA as leaf",
            .signingAuthorityAsLeaf, .wrongPurpose),
        differing("pss-signature", "RSASSA-PSS is a good signature.", source: "RFC 4055 3", .pssSignature, nil),
        differing(
            "compressed-point", "A compressed point is a good key.", source: "RFC 5480 2.2", .compressedPoint, nil),
    ]

    private static func differing(
        _ id: String, _ sentence: String, source: String, _ identity: LabIdentityName, _ cause: TrustCause?
    ) -> TLSScenario {
        TLSScenario(
            "divergences/" + id, sentence, source: source, identity, cause == nil ? .pass : .trustFailed,
            code: cause?.rawValue)
    }
}
