import ProbeKit
import ProbePins

/// Apple's `NSPinnedDomains`, from an Info.plist or a part of one.
enum AppleFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        BinaryPropertyList.recognises(input.bytes) && input.holds(AppleKey.domains)
            || input.hasListKey(AppleKey.domains)
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let root = PropertyDictionary(try PropertyList.read(input), path: "", input)
        let security = try root.dictionary(AppleKey.security) ?? root
        // Outside, it is read as intended if the right place has none.
        let (inside, outside) = (try security.dictionary(AppleKey.domains), try root.dictionary(AppleKey.domains))
        guard let domains = inside ?? outside else {
            throw input.refuse(
                "has no \(AppleKey.domains)",
                remedy: "give an Info.plist with \(AppleKey.security) > \(AppleKey.domains)")
        }
        var notes = try AppleExceptions.notes(security)
        if outside != nil {
            notes.append(
                .warning(
                    "not-effective",
                    "\(AppleKey.domains) stands outside of \(AppleKey.security), where no system looks: move it there"))
        }
        var hosts: [HostRule] = []
        for name in domains.keys {
            guard let domain = try domains.dictionary(name) else { continue }
            let sets = try sets(domain, input)
            notes += domain.notes(
                onKeysBut: [AppleKey.subdomains, AppleKey.leaf, AppleKey.authority], reader: "App Transport Security")
            let subdomains = try domain.flag(AppleKey.subdomains) ?? false
            if sets.count > 1 {
                notes.append(.note("both-groups", "\(name): leaf and CA identities both have to match"))
            }
            if let rule = input.rule(
                name, .ats, subdomains: subdomains, pins: sets, platform: "App Transport Security", notes: &notes)
            {
                hosts.append(rule)
            }
        }
        return Imported(profile: Profile(unlistedHost: .system, hosts: hosts), notes: notes)
    }

    private static func sets(_ domain: PropertyDictionary, _ input: FormatInput) throws(InputError) -> [PinSet] {
        var sets: [PinSet] = []
        for (key, position) in [(AppleKey.leaf, PinPosition.leaf), (AppleKey.authority, .ca)] {
            guard let identities = try domain.dictionaries(key) else { continue }
            var members: [PinSet.Member] = []
            for identity in identities {
                guard let text = try identity.text(AppleKey.digest) else {
                    throw identity.refuse("has no \(AppleKey.digest)", remedy: "write one for each identity")
                }
                do throws(InputError) {
                    members.append(PinSet.Member(try PinText.pin(.spki, base64: text)))
                } catch {
                    throw identity.refuse("can't be used: \(error.message)", remedy: error.remedy)
                }
            }
            guard !members.isEmpty else {
                throw domain.refuse("has an empty \(key)", remedy: "list identities in it, or take it out")
            }
            sets.append(PinSet(members, position: position))
        }
        guard !sets.isEmpty else {
            throw domain.refuse("pins nothing", remedy: "give it \(AppleKey.leaf) or \(AppleKey.authority)")
        }
        return sets
    }
}

/// The keys of `NSPinnedDomains`, and of one domain in it.
enum AppleKey {
    static let security = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"
    static let subdomains = "NSIncludesSubdomains"
    static let leaf = "NSPinnedLeafIdentities"
    static let authority = "NSPinnedCAIdentities"
    static let digest = "SPKI-SHA256-BASE64"
}

/// Writes Apple's `NSPinnedDomains`, to be merged into an Info.plist.
extension AppleFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .oneOf([.leaf, .ca]), sets: .oneForEachPosition,
        hosts: .names([.itself, .selfAndChildren], repeats: false), unlistedHost: .system, overlap: .ats)

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var domains: [String: PropertyValue] = [:]
        for host in pinned {
            guard let name = host.name else { continue }
            var domain: [String: PropertyValue] = [:]
            if host.reach != .itself { domain[AppleKey.subdomains] = .flag(true) }
            for set in host.sets {
                domain[set.position == .ca ? AppleKey.authority : AppleKey.leaf] = .list(
                    set.members.map { .dictionary([AppleKey.digest: .text($0.pin.digest.base64)]) })
            }
            domains[name] = .dictionary(domain)
        }
        return try PropertyList.write([
            AppleKey.security: .dictionary([AppleKey.domains: .dictionary(domains)])
        ])
    }
}
