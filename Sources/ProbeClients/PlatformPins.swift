import ProbeKit
import ProbeRun

/// A platform's own file of pins, which its older versions pass over, and clients of every other platform.
public enum PlatformPins: String, Hashable, Sendable, CaseIterable {
    /// Android's network security configuration.
    case android
    /// `NSPinnedDomains` of an Info.plist.
    case ats

    /// The code of a finding for a client that does not read the file.
    public static let code = "pins-not-applied"

    /// The families of clients whose platform reads the file.
    private var families: Set<String> {
        switch self {
        case .android: ["android"]
        case .ats: ["ios", "macos"]
        }
    }

    /// Returns true if a client reads the file; one of whose platform nothing is known is taken to.
    func isRead(by client: Client) -> Bool {
        !client.unreadPins.contains(self) && (client.platform.map(families.contains) ?? true)
    }

    /// The finding for a client of the platform that does not read the file, although the app's pins are in it.
    var finding: Finding {
        switch self {
        case .android:
            .warning(
                Self.code, stage: .pins,
                "the app's pins are not applied: a network security configuration is read since Android 7.0 "
                    + "(API level 24), by the system's own TLS",
                fix:
                    "pin in the app's own code too, as with OkHttp's CertificatePinner, or set minSdkVersion to 24"
            )
        case .ats:
            .warning(
                Self.code, stage: .pins,
                "the app's pins are not applied: NSPinnedDomains is read since iOS 14 and macOS 11",
                fix: "pin in the app's own code too, as with TrustKit, or deploy to iOS 14 and macOS 11 at least")
        }
    }

    /// The finding for a client of another platform, none of whose versions reads the file.
    var foreignFinding: Finding {
        let reader =
            switch self {
            case .android: "a network security configuration is read by Android alone"
            case .ats: "NSPinnedDomains is read by Apple's systems alone"
            }
        return .warning(
            Self.code, stage: .pins, "no pins are applied: \(reader)",
            fix: "judge it with its own app's pins, or pin in the app's own code")
    }
}

extension Check {
    /// Returns the same check as a client makes it, without the pins of the files that it does not read.
    func withPins(readBy client: Client) -> Check {
        let unread = PlatformPins.allCases.filter {
            !$0.isRead(by: client) && platformPins[$0.rawValue]?.isEmpty == false
        }
        guard let check = withoutPins(ofPlatforms: Set(unread.map(\.rawValue))) else { return self }
        let own = unread.filter(client.unreadPins.contains)
        guard own.isEmpty else { return own.reduce(check) { $0.announcing($1.finding) } }
        // Whoever has pins of its own is not missing those of another platform.
        return check.pins.isEmpty ? unread.reduce(check) { $0.announcing($1.foreignFinding) } : check
    }
}
