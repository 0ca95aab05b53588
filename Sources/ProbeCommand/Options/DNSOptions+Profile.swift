import ProbeKit
import ProbeProfiles

/// The DNS options beside a profile that names allow-lists: they redirect its rules and tighten them. Options that
/// would loosen a rule, or that apply to no rule, are rejected.
extension DNSOptions {
    /// Returns the settings that the options make for a profile's model rules.
    ///
    /// - Parameters:
    ///   - rules: the rules that are asked; empty if targets are checked instead.
    ///   - path: the profile, as errors name it.
    ///   - isFollowing: true if the servers are asked for the records that lead to targets too.
    func settings(
        over rules: [ModelRule], of path: String, isFollowing: Bool
    ) throws(InputError) -> ModelSettings {
        let idle = idle(isFollowing: isFollowing)
        guard !optionsGiven.isEmpty, !rules.isEmpty || !idle.isEmpty else { return ModelSettings() }
        guard !rules.isEmpty else {
            throw InputError(
                "\(idle.joined(separator: ", ")) is given, and no model rule of \(path) is asked",
                remedy: "leave it out, or check a profile with 'models' and no targets")
        }
        try refusePins(over: rules)
        let https = try httpsServers(over: rules, of: path)
        let dnssec = try validation(over: rules)
        return ModelSettings(
            servers: try given(), httpsServers: https.servers, tlsServers: try dnsServer.isEmpty ? [] : tlsServers(),
            serverPins: try serverPins(), httpsConnect: https.connect, httpsAnchors: https.anchors, dnssec: dnssec,
            dnssecAnchors: try anchors(over: rules, dnssec),
            ednsSize: ednsSize?.value.bytes, strings: try strings(over: rules))
    }

    /// Returns the https servers, and what for those and tls servers `--dns-connect` and `--dns-ca` say: that of the options, else those of the
    /// rules.
    private func httpsServers(
        over rules: [ModelRule], of path: String
    ) throws(InputError) -> (servers: [DoHServer], connect: Endpoint?, anchors: TrustAnchors?) {
        guard dnsServer.isEmpty, let option = dnsConnect != nil ? "--dns-connect" : dnsCa.map({ _ in "--dns-ca" })
        else { return (try httpsServers(), nil, nil) }
        let urls = Set(rules.flatMap(\.servers).filter { DoHServer.isURL($0) || DNSQuery.TLSServer.isURL($0) })
        guard !urls.isEmpty else {
            throw InputError(
                "\(option) is of no use: no model rule of \(path) has an https or tls server",
                remedy: "name one with --dns-server https://NAME/dns-query or tls://NAME")
        }
        guard dnsConnect == nil || urls.count == 1 else {
            throw InputError(
                "--dns-connect can't say which of the \(urls.count) https or tls servers of \(path) it is for",
                remedy: "give one, like --dns-server \(urls.sorted()[0])")
        }
        return ([], dnsConnect?.value, dnsCa == nil ? nil : try serverAnchors())
    }

    /// A rule's pins hold for servers of the options too, which have to be of a kind that shows a key.
    private func refusePins(over rules: [ModelRule]) throws(InputError) {
        if let rule = rules.first(where: { !$0.serverPins.isEmpty }), !dnsPin.isEmpty {
            throw InputError(
                "--dns-pin is given beside 'serverPins' of the model rule '\(rule.model)'",
                remedy: "leave --dns-pin out, or change the profile")
        }
        try NamedDNSServers(dnsServer).refuse(besidePinsOf: rules)
    }

    private func validation(over rules: [ModelRule]) throws(InputError) -> DNSSECPolicy {
        guard let policy = dnssec?.value else { return .off }
        for rule in rules where rule.dnssec.rank > policy.rank {
            throw InputError(
                "--dnssec \(policy.rawValue) is weaker than 'dnssec: \(rule.dnssec.rawValue)' of the model rule '\(rule.model)'",
                remedy: "leave --dnssec out, or change the profile")
        }
        return policy
    }

    private func anchors(over rules: [ModelRule], _ dnssec: DNSSECPolicy) throws(InputError) -> [DNSAnchor] {
        guard !dnssecAnchor.isEmpty else { return [] }
        guard dnssec != .off || rules.contains(where: { $0.dnssec != .off }) else {
            throw InputError("--dnssec-anchor is of no use with --dnssec off", remedy: "add --dnssec require")
        }
        return try givenAnchors()
    }

    private func strings(over rules: [ModelRule]) throws(InputError) -> TXTStrings? {
        guard let strings = txtStrings?.value else { return nil }
        for rule in rules where rule.strings == .separate && strings == .joined {
            throw InputError(
                "--txt-strings joined contradicts 'strings: separate' of the model rule '\(rule.model)'",
                remedy: "leave --txt-strings out, or change the profile")
        }
        return strings
    }
}
