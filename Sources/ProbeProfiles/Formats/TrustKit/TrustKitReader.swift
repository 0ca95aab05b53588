import FoundationEssentials
import ProbeKit

/// TrustKit's configuration, from an Info.plist or a property list of its own.
enum TrustKitReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        input.text.map { $0.contains("<plist") && $0.contains("TSKPinnedDomains") } ?? false
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let root = PropertyDictionary(try PropertyList.read(input), path: "", input)
        let configuration = try root.dictionary("TSKConfiguration") ?? root
        guard let domains = try configuration.dictionary("TSKPinnedDomains") else {
            throw input.refuse("has no TSKPinnedDomains", remedy: "give a property list with TrustKit's configuration")
        }
        var notes: [FormatNote] = []
        if try configuration.flag("TSKIgnorePinningForUserDefinedTrustAnchors") ?? false {
            notes.append(.warning("user-anchors", "on macOS, anchors that a user added are exempt from all pins"))
        }
        var hosts: [HostRule] = []
        for name in domains.keys {
            guard let domain = try domains.dictionary(name) else { continue }
            notes += domain.notes(onKeysBut: TrustKitKey.all, reader: "TrustKit")
            let isExempt = try domain.flag(TrustKitKey.exempt) ?? false
            let sets = isExempt ? [] : [try set(domain, input)]
            if isExempt {
                guard try domain.texts(TrustKitKey.hashes) == nil, domain.keys.count == 1 else {
                    throw domain.refuse(
                        "is exempt and says more, which TrustKit refuses at start",
                        remedy: "keep \(TrustKitKey.exempt) alone")
                }
            }
            if sets.contains(where: { $0.expiry != nil }) {
                notes.append(.note("expiry", "\(name): after its day TrustKit stops pinning, and says nothing"))
            }
            let subdomains = try domain.flag(TrustKitKey.subdomains) ?? false
            if let rule = input.rule(
                name, .trustkit, subdomains: subdomains, pins: sets, platform: "TrustKit", notes: &notes)
            {
                hosts.append(rule)
            }
        }
        return Imported(profile: Profile(unlistedHost: .system, hosts: hosts), notes: notes)
    }

    private static func set(_ domain: PropertyDictionary, _ input: FormatInput) throws(InputError) -> PinSet {
        let isEnforced = try domain.flag(TrustKitKey.enforce) ?? true
        var members: [PinSet.Member] = []
        for text in try domain.texts(TrustKitKey.hashes) ?? [] {
            do throws(InputError) {
                members.append(PinSet.Member(try PinText.pin(.spki, base64: text)))
            } catch {
                throw domain.refuse("can't be used: \(error.message)", remedy: error.remedy)
            }
        }
        let needed = isEnforced ? 2 : 1
        guard Set(members.map(\.pin)).count >= needed else {
            throw domain.refuse(
                "has fewer than \(needed) different pins, which TrustKit refuses at start", remedy: "add a backup pin")
        }
        guard let text = try domain.text(TrustKitKey.expiry) else {
            return PinSet(members, position: .any, isEnforced: isEnforced)
        }
        do throws(InputError) {
            return PinSet(
                members, position: .any,
                expiry: PinGroup.Expiry(last: try ExpiryDay.parse(text), afterwards: .ignore), isEnforced: isEnforced)
        } catch {
            throw domain.refuse("can't be used: \(error.message)", remedy: error.remedy)
        }
    }
}

/// The keys of one domain in TrustKit's configuration.
enum TrustKitKey {
    static let hashes = "TSKPublicKeyHashes"
    static let subdomains = "TSKIncludeSubdomains"
    static let enforce = "TSKEnforcePinning"
    static let expiry = "TSKExpirationDate"
    static let exempt = "TSKExcludeSubdomainFromParentPolicy"
    /// Those that TrustKit reads and that say nothing of pins are known too.
    static let all = [
        hashes, subdomains, enforce, expiry, exempt, "TSKReportUris", "TSKDisableDefaultReportUri",
        "TSKPublicKeyAlgorithms", "TSKAdditionalTrustAnchors",
    ]
}
