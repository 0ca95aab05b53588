import ProbeKit

extension KnownDifference {
    /// The differences between verifiers of chains whose reasons are known; the first entry that fits is taken. `docs/explored.md`
    /// has them with their counts.
    ///
    /// An entry holds for the stacks and the causes that it was measured with, in searches with the seeds 1, 7 and 12: another
    /// stack's difference is new, and so is an accepted chain that the reference refuses for another cause, like a forged signature.
    /// An entry without measurements gives its reason to the clients of `docs/agreement.md` alone.
    public static let chains: [KnownDifference] = ofPaths + ofExtensions + ofForms

    /// The stacks that were measured.
    static let stacks: Set<String> = ["curl", "gnutls", "nio", "openssl"]

    /// The causes of the reference that concern the form of a certificate, and not who signed it, its dates or its names.
    static let form: Set<TrustCause> = [
        .malformed, .tooComplex, .constraintViolated, .wrongPurpose, .weakKey, .weakSignature, .other,
    ]
}
