extension HostSemantics {
    /// The platform whose rules these are; nil if a profile's own rules name hosts exactly.
    public var platform: String? {
        switch self {
        case .exact: nil
        case .ats: "App Transport Security"
        case .android: "Android"
        case .trustkit: "TrustKit"
        case .okhttp: "OkHttp"
        }
    }
}
