/// The keys of TrustKit's configuration, with the strings of its constants.
enum TrustKitKey {
    static let configuration = "TSKConfiguration"
    static let domains = "TSKPinnedDomains"
    static let swizzle = "TSKSwizzleNetworkDelegates"
    static let userAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"
    static let hashes = "TSKPublicKeyHashes"
    static let subdomains = "TSKIncludeSubdomains"
    static let enforce = "TSKEnforcePinning"
    static let expiry = "TSKExpirationDate"
    /// Without the T, in TrustKit itself: an app whose file has it crashes at its start.
    static let exempt = "kSKExcludeSubdomainFromParentPolicy"

    /// Keys of a domain that TrustKit reads and that do not affect pins.
    static let aside: Set = [
        "TSKReportUris", "TSKDisableDefaultReportUri", "TSKPublicKeyAlgorithms", "TSKAdditionalTrustAnchors",
    ]
    /// The keys of a domain.
    static let all = [hashes, subdomains, enforce, expiry, exempt] + aside.sorted()
    /// The keys of a domain, and that of all domains.
    static let ofPins: Set = [domains, hashes, subdomains, enforce, expiry, exempt]

    /// Returns the string of a constant of TrustKit's header; nil for another name.
    static func string(ofConstant name: String) -> String? {
        guard name.hasPrefix("kTSK") else { return nil }
        return name == "kTSKExcludeSubdomainFromParentPolicy" ? exempt : String(name.dropFirst())
    }
}
