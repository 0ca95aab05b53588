/// The platform whose semantics decide which hosts a rule applies to; platforms read the same two lines differently.
public enum HostSemantics: String, Hashable, Sendable, Codable, CaseIterable {
    /// The host itself.
    case exact
    /// Apple's `NSPinnedDomains`: subdomains are one label deep, and every rule that fits applies.
    case ats
    /// Android's network security configuration: subdomains of any depth; an exact rule wins, else the longest.
    case android
    /// TrustKit: like Android.
    case trustkit
    /// OkHttp: `*.` is one label, `**.` any number and none; all rules that fit are one set.
    case okhttp
}
