import ProbeKit

/// A change to make in a file of pins, worded so that the file's own format can express it.
enum FormatAdvice: Hashable, Sendable {
    /// A pin of a key that is kept for later.
    case addBackup
    /// A pin that matches nothing served.
    case removeStale
    /// The next certificate beside the only one.
    case addNextCertificate
    /// Pins are missing.
    case addPins
    /// A mismatch that is only reported.
    case enforce
    /// Pins that have expired or expire too soon.
    case moveExpiry
    /// Pins for a host.
    case addHost(ServerName)
    /// A pin of a CA alone.
    case pinLeafToo
    /// Pins of leaves and CAs as alternatives.
    case separateLeafAndCA
    /// A CA's pin among others, seen in a chain.
    case narrowToLeaf
    /// A digest of another kind than the file states; the pin of the stated kind.
    case rightKind(Pin)
    /// A pin that matches instead.
    case replace(Pin)
    /// A pin of a certificate that is not checked.
    case reach(PinPosition)

    /// Returns the advice in the words of a format.
    ///
    /// - Parameter platform: the platform whose rule the pins are of, where a file of our own has several: what it can't hold is
    ///   another finding.
    func text(in format: ProfileFormat, on platform: HostSemantics? = nil) -> String {
        let hasPositions = format.isNative && platform?.hasOneList != true
        return switch self {
        case .addBackup: addBackup(format)
        case .removeStale:
            format.isNative
                ? "remove it, or write backup: true if it is for later" : "remove it, unless it is a backup for later"
        case .addNextCertificate:
            switch format {
            case _ where format.isNative:
                "add the next certificate's pin before it is deployed, or pin the key (spki)"
            case .pemCert: "add the next certificate before it is deployed"
            case .derCert: "change to PEM, which holds several, and add the next certificate before it is deployed"
            default: "add the next certificate's pin before it is deployed"
            }
        case .addPins:
            format.isNative
                ? "list at least one pin in anyOf, or remove the set" : "list at least one pin, or remove the entry"
        case .enforce: enforce(format)
        case .moveExpiry:
            switch format {
            case .android: "renew the pins, and move the pin-set's expiration"
            case .trustkit: "renew the pins, and move TSKExpirationDate"
            case _ where format.isNative: "renew the pins, and move 'expires'"
            default: "renew the pins"
            }
        case .addHost(let host): addHost(host, format)
        case .pinLeafToo: pinLeafToo(format, hasPositions)
        case .separateLeafAndCA:
            switch format {
            case _ where hasPositions:
                "write position: leaf, or a set for the leaf and one for the CA, which must both match"
            case .hex: "write KIND@leaf: before the pins of leaves"
            default: "keep the pins of leaves alone, unless a CA's is meant"
            }
        case .narrowToLeaf:
            switch format {
            case _ where hasPositions: "write position: leaf, or keep the CA's pin and know what it allows"
            case .hex: "write KIND@leaf: before it, or keep the CA's pin and know what it allows"
            default: "remove the CA's pin, or keep it and know what it allows"
            }
        case .rightKind(let pin):
            Self.written(pin, format).map { "write that certificate's \(pin.kind.name) hash, \($0)" }
                ?? Self.unwritten(pin, format)
        case .replace(let pin):
            Self.written(pin, format).map { "write the \(pin.kind.name) hash \($0)" } ?? Self.unwritten(pin, format)
        case .reach(let position): reach(position, format, platform)
        }
    }

    private func addBackup(_ format: ProfileFormat) -> String {
        let key = "generate a second key, keep it apart, and add"
        return switch format {
        case _ where format.isNative: "\(key) its pin with backup: true"
        case .apple: "\(key) its SPKI-SHA256-BASE64 to the same list"
        case .android: "\(key) its <pin digest=\"SHA-256\">"
        case .trustkit: "\(key) its hash to TSKPublicKeyHashes"
        case .pemCert, .pemPubkey: "\(key) it to the file"
        case .derCert, .derPubkey: "change to PEM, which holds several; then \(key) it"
        default: "\(key) its pin"
        }
    }

    private func enforce(_ format: ProfileFormat) -> String {
        switch format {
        case .android: "take overridePins off the certificates of its trust-anchors"
        case .trustkit: "set TSKEnforcePinning to true once the reports are clean"
        case .hpkp: "send Public-Key-Pins instead of Public-Key-Pins-Report-Only once the reports are clean"
        case _ where format.isNative: "write enforce: true once the reports are clean"
        default: "enforce it once the reports are clean"
        }
    }

    private func addHost(_ host: ServerName, _ format: ProfileFormat) -> String {
        switch format {
        case .apple: "add \(host) to NSPinnedDomains"
        case .android: "add a domain-config with <domain>\(host)</domain> and a pin-set"
        case .trustkit: "add \(host) to TSKPinnedDomains"
        case .okhttp: "add pins for '\(host)'"
        case .tlsa: "add a TLSA record for \(host)"
        case .wultra: "add a fingerprint for \(host)"
        case _ where format.isNative: "add a host rule for \(host), or pins of its own"
        default: "\(Fix.Step.nameHost(host.description)), if the pins are meant for it"
        }
    }

    private func pinLeafToo(_ format: ProfileFormat, _ hasPositions: Bool) -> String {
        switch format {
        case _ where hasPositions: "pin the leaf too, in a set of its own, where that is too wide"
        case .apple: "add NSPinnedLeafIdentities, where that is too wide: both have to match"
        case .hex: "add a line KIND@leaf:sha256:HEX, where that is too wide: both have to match"
        case .tlsa: "publish records of the leaf (usage 1 or 3) instead, where that is too wide"
        default: "pin leaves instead, where that is too wide"
        }
    }

    /// Returns the advice for a pin that a format does not write as text: whole certificates and keys have to be put in.
    private static func unwritten(_ pin: Pin, _ format: ProfileFormat) -> String {
        switch format {
        case .pemCert, .derCert: "put the certificate whose \(pin.kind.name) hash is \(pin.digest.base64) in the file"
        case .pemPubkey, .derPubkey:
            "put the key of the certificate whose \(pin.kind.name) hash is \(pin.digest.base64) in the file"
        default: "look up its hashes with 'probe pins FILE', and write the one that the format is for"
        }
    }

    /// Returns a pin as a format writes it; nil if it does not write this one as text.
    private static func written(_ pin: Pin, _ format: ProfileFormat) -> String? {
        switch format {
        case _ where format.isNative, .hex, .rawkeyHex: "\(pin)"
        case .okhttp: "sha256/\(pin.digest.base64)"
        case .curl: "sha256//\(pin.digest.base64)"
        case .apple, .android, .trustkit, .hpkp, .spkiBase64: pin.digest.base64
        case .tlsa where pin.kind != .rawkey: "as \(pin.kind == .cert ? 0 : 1) 1 \(pin.digest.hex) after the usage"
        default: nil
        }
    }

    /// - Parameter position: the position that is searched in vain.
    private func reach(
        _ position: PinPosition, _ format: ProfileFormat, _ platform: HostSemantics? = nil
    ) -> String {
        switch (format, position) {
        case (.apple, .leaf): "move it to NSPinnedCAIdentities, or remove it"
        case (.apple, _): "move it to NSPinnedLeafIdentities, or remove it"
        case (.hex, _): "widen the position before it, or remove the pin"
        case (.tlsa, .leaf): "change its usage to 0 or 2, which are of CAs, or remove it"
        case (.tlsa, _): "change its usage to 1 or 3, which are of the leaf, or remove it"
        case _ where format.isNative && platform == .ats:
            "move it to a set with position: \(position == .leaf ? "ca" : "leaf"), or remove it"
        case _ where format.isNative: "widen the position, or remove the pin"
        default: "remove it: clients of this format do not look there"
        }
    }
}

extension FormatAdvice {
    /// Returns the words of a format for the steps of fixes that it takes in a way of its own; nil for our own format,
    /// whose words are the program's.
    static func words(in format: ProfileFormat) -> Fix.Step.Words? {
        guard !format.isNative else { return nil }
        return Fix.Step.Words { step in
            switch step {
            case .pin(let pin, _): FormatAdvice.replace(pin).text(in: format)
            case .movePin(let pin, from: let position, to: _, instead: let other):
                moved(pin, from: position, or: other, in: format)
            default: nil
            }
        }
    }

    /// - Parameters:
    ///   - position: the position that is searched in vain.
    ///   - other: the pin of a certificate there; nil if the chain has none.
    private static func moved(
        _ pin: Pin, from position: PinPosition, or other: Pin?, in format: ProfileFormat
    ) -> String {
        switch format {
        case .apple:
            let (list, right) =
                position == .leaf ? (AppleKey.leaf, AppleKey.authority) : (AppleKey.authority, AppleKey.leaf)
            return
                "take it out of \(list), and \(list) with it where that is then empty; write the SPKI hash \(pin.digest.base64) in \(right), unless it is there; of two lists, each has to match"
        case .hex, .tlsa: return FormatAdvice.reach(position).text(in: format)
        default:
            guard let other else {
                return "pin a certificate that clients of this format look at, in place of this one"
            }
            return
                "\(FormatAdvice.replace(other).text(in: format)) instead of this one, at whose certificate clients of this format do not look"
        }
    }
}
