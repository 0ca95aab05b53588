import ProbeKit
import ProbePins
import ProbePlatform

/// TrustKit's configuration: from an Info.plist, a property list of its own, or a dictionary in Swift or Objective-C.
enum TrustKitFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        if BinaryPropertyList.recognises(input.bytes) { return input.holds(TrustKitKey.domains) }
        let key = TrustKitKey.domains
        if input.isXML { return input.hasListKey(key) }
        let isObjectiveC = ["@{", "@\""].contains { input.text?.contains($0) == true }
        return input.isCode(in: isObjectiveC ? .objectiveC : .swift) {
            $0.contains(key)
        } byTokens: { tokens in
            tokens.contains { $0.isSign("[") || $0.isSign("{") }
                && tokens.contains { $0.word?.contains(key) == true || $0.kind == .text([.plain(key)]) }
        }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let isList =
            BinaryPropertyList.recognises(input.bytes) || input.text?.first { !$0.isWhitespace } == "<"
        let root = PropertyDictionary(
            isList ? try PropertyList.read(input) : try TrustKitSource.read(input), path: "", input)
        let configuration = try root.dictionary(TrustKitKey.configuration) ?? root
        guard let domains = try configuration.dictionary(TrustKitKey.domains), !domains.keys.isEmpty else {
            throw input.refuse(
                "has no \(TrustKitKey.domains)", remedy: "give a property list with TrustKit's configuration")
        }
        var notes: [FormatNote] = []
        if !root.has(TrustKitKey.configuration), root.has("CFBundleIdentifier") {
            notes.append(
                .warning(
                    "not-effective",
                    "\(TrustKitKey.domains) stands outside of \(TrustKitKey.configuration), where TrustKit does not look in an Info.plist: move it there"
                ))
        }
        if try configuration.boolValue(TrustKitKey.userAnchors) ?? false {
            notes.append(.warning("user-anchors", "on macOS, anchors that a user added are exempt from all pins"))
        }
        var hosts: [HostRule] = []
        for name in domains.keys {
            guard let domain = try domains.dictionary(name) else { continue }
            if let rule = try rule(name, domain, input, &notes) { hosts.append(rule) }
        }
        try checkExemptions(hosts, input, &notes)
        return Imported(profile: Profile(unlistedHost: .system, hosts: hosts), notes: notes)
    }

    private static func rule(
        _ name: String, _ domain: PropertyDictionary, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> HostRule? {
        guard name.contains("."), IPAddress(name) == nil else {
            throw domain.refuse(
                "is not a name below a public suffix, with which TrustKit refuses to start",
                remedy: "name a domain, or take it out")
        }
        notes += domain.notes(onKeysBut: TrustKitKey.all, reader: "TrustKit")
        let isExempt = try domain.boolValue(TrustKitKey.exempt) ?? false
        guard !isExempt || domain.keys.count == 1 else {
            throw domain.refuse(
                "is exempt and has other keys, with which TrustKit refuses to start",
                remedy: "keep \(TrustKitKey.exempt) alone")
        }
        let sets = isExempt ? [] : [try set(domain, input)]
        if sets.contains(where: { $0.expiry != nil }) {
            notes.append(.note("expiry", "\(name): after its day TrustKit stops pinning without a message"))
        }
        let subdomains = try domain.boolValue(TrustKitKey.subdomains) ?? false
        guard name == name.lowercased(), !name.hasSuffix(".") else {
            notes.append(
                .warning(
                    "never-matches",
                    "'\(name)' is compared as it stands with names in lowercase and without a dot at the end: it never matches"
                ))
            return nil
        }
        return input.rule(name, .trustkit, subdomains: subdomains, pins: sets, platform: "TrustKit", notes: &notes)
    }

    private static func set(_ domain: PropertyDictionary, _ input: FormatInput) throws(InputError) -> PinSet {
        let isEnforced = try domain.boolValue(TrustKitKey.enforce) ?? true
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
            let meant = domain.keys.first { $0.hasSuffix("ExcludeSubdomainFromParentPolicy") }
            if members.isEmpty, let meant {
                throw domain.refuse(
                    "has \(meant), a key that TrustKit does not know: it sees a domain without pins, and refuses to start",
                    remedy: "write \(TrustKitKey.exempt)")
            }
            throw domain.refuse(
                "has fewer than \(needed) different pins, with which TrustKit refuses to start",
                remedy: "add a backup pin")
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

    /// Checks that each exemption has a wider rule. TrustKit looks for one with a letter before the name
    /// (`parse_configuration.m`), and does not find it across a public suffix. Its own copy of the list may differ from
    /// the system's, so that this is a warning alone.
    private static func checkExemptions(
        _ hosts: [HostRule], _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        let wide = Dictionary(hosts.filter(\.includesSubdomains).map { ($0.pattern, $0) }) { first, _ in first }
        for host in hosts where host.pins.isEmpty {
            let wider = DomainName.parents(of: host.pattern).compactMap { wide[$0] }
            guard let nearest = wider.first else {
                throw input.refuse(
                    "exempts \(host.pattern), for which no wider rule is, with which TrustKit refuses to start",
                    remedy: "take it out")
            }
            guard !wider.contains(where: { $0.matches(.dns("a" + host.pattern)) }) else { continue }
            notes.append(
                .warning(
                    "public-suffix",
                    "\(host.pattern) is exempt from the rule for \(nearest.pattern), which has another public suffix: TrustKit finds no wider rule, and refuses to start",
                    fix: "take it out"))
        }
    }
}

/// Writes TrustKit's configuration.
extension TrustKitFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), expiry: .day, hosts: .names([.itself, .everything], repeats: false),
        reports: true, exempts: true, unlistedHost: .system, overlap: .trustkit)

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var domains: [String: PropertyValue] = [:]
        for host in pinned {
            guard let name = host.name else { continue }
            guard name.contains("."), IPAddress(name) == nil else {
                losses.append(
                    FormatLoss("address", host.label, "TrustKit refuses to start with it; it is left out"))
                continue
            }
            if let loss = suffixLoss(host, name, export.publicSuffixes) { losses.append(loss) }
            guard let set = host.sets.first else {
                if host.reach != .itself {
                    losses.append(
                        FormatLoss(
                            "subdomains", host.label,
                            "names below it are exempt too; written, only the host itself is"))
                }
                domains[name] = .dictionary([TrustKitKey.exempt: .flag(true)])
                continue
            }
            if set.isEnforced, Set(set.members.map(\.pin)).count < 2 {
                losses.append(
                    FormatLoss(
                        "too-few-pins", host.label, "TrustKit refuses to start with fewer than two pins: add a backup"))
            }
            var domain: [String: PropertyValue] = [
                TrustKitKey.hashes: .list(set.members.map { .text($0.pin.digest.base64) })
            ]
            if host.reach != .itself { domain[TrustKitKey.subdomains] = .flag(true) }
            if !set.isEnforced { domain[TrustKitKey.enforce] = .flag(false) }
            if let expiry = set.expiry { domain[TrustKitKey.expiry] = .text(ExpiryDay.format(expiry.last)) }
            domains[name] = .dictionary(domain)
        }
        guard !domains.isEmpty else { return [] }
        return try PropertyList.write([
            TrustKitKey.configuration: .dictionary([TrustKitKey.domains: .dictionary(domains)])
        ])
    }

    /// Returns the loss of a name by whose public suffix TrustKit refuses to start: it has none, or is one itself and has
    /// its subdomains included (`GetRegistryLength` in `parse_configuration.m`); or the loss of names below it with another
    /// public suffix (`isSubdomain` in `configuration_utils.m`). TrustKit's own copy of the list may be newer than the
    /// system's, so the name stays.
    private static func suffixLoss(_ host: PinnedHost, _ name: String, _ list: PublicSuffixList?) -> FormatLoss? {
        guard let list else { return nil }
        guard list.knowsTopLevel(of: name) else {
            return FormatLoss(
                "public-suffix", host.label, "TrustKit refuses to start with a name below no public suffix")
        }
        guard host.reach != .itself, !host.sets.isEmpty else { return nil }
        guard !list.contains(name) else {
            return FormatLoss(
                "public-suffix", host.label,
                "TrustKit refuses to start with the subdomains of a public suffix: name the domain that is yours")
        }
        // Rules read from such a file are unchanged.
        guard host.semantics != .trustkit, list.hasSuffixes(below: name) else { return nil }
        return FormatLoss(
            "public-suffix", host.label,
            "some names below it have a public suffix of their own, and TrustKit does not take these for subdomains: they are not pinned"
        )
    }
}

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
    /// Spelled as in TrustKit itself, without the T: an app whose file has the T crashes at its start.
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
