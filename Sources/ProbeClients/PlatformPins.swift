import ProbeKit

/// A platform's own file of pins, which its older versions pass over, and stacks that an app brings along.
public enum PlatformPins: String, Hashable, Sendable, CaseIterable {
    /// Android's network security configuration.
    case android
    /// `NSPinnedDomains` of an Info.plist.
    case ats

    /// The finding for a client that does not read the file, although the app's pins are in it.
    var finding: Finding {
        switch self {
        case .android:
            .warning(
                "pins-not-applied", stage: .pins,
                "the app's pins are not applied: a network security configuration is read since Android 7.0 "
                    + "(API level 24), by the system's own TLS",
                fix:
                    "pin in the app's own code too, as with OkHttp's CertificatePinner, or set minSdkVersion to 24"
            )
        case .ats:
            .warning(
                "pins-not-applied", stage: .pins,
                "the app's pins are not applied: NSPinnedDomains is read since iOS 14 and macOS 11",
                fix: "pin in the app's own code too, as with TrustKit, or deploy to iOS 14 and macOS 11 at least")
        }
    }
}
