import Foundation
import ProbeKit
import ProbePins
import ProbeRun
import ProbeSignatures
import ProbeTrust
import ProbeYAML

/// A profile as the values of a file: the inverse of the native reader. Default values are left out.
enum NativeTree {
    static func profile(_ profile: Profile) -> YAMLValue {
        var fields = NativeFields()
        fields.add("profile", .number(1))
        fields.add("name", text: profile.name)
        if profile.unlistedHost != .fail { fields.add("unlistedHost", text: profile.unlistedHost.rawValue) }
        add(profile.defaults, to: &fields)
        fields.add("pins", list: profile.pins.map(set))
        fields.add("hosts", list: profile.hosts.map(hostRule))
        if let unnamed = profile.environments.first(where: { $0.name == nil }) {
            fields.add("services", services(unnamed.services))
        }
        let named = profile.environments.filter { $0.name != nil }
        if !named.isEmpty { fields.add("environments", .map(named.map { ($0.name ?? "", environment($0)) })) }
        fields.add("models", list: profile.models.map(modelRule))
        fields.add("signers", list: profile.signers.map(signer))
        let digests = profile.files.compactMap { path in profile.digests[path].map { (path, "sha256:\($0.hex)") } }
        if !digests.isEmpty { fields.add("digests", .map(digests.map { ($0, .text($1)) })) }
        return fields.value
    }

    private static func add(_ demands: ConnectionDemands, to fields: inout NativeFields) {
        switch demands.anchors {
        case .system: fields.add("anchors", text: "system")
        case .files(let paths): fields.add("anchors", .list(paths.map(YAMLValue.text)))
        case nil: break
        }
        fields.add("trust", text: demands.trust?.rawValue)
        fields.add("minTLS", text: demands.minimumTLS?.number)
        if let alpn = demands.alpn { fields.add("alpn", .list(alpn.map(YAMLValue.text))) }
        if let policies = demands.policies { fields.add("policies", .list(policies.map(YAMLValue.text))) }
        fields.add("serverDate", text: demands.serverDate?.rawValue)
        fields.add("expiresWithin", text: demands.expiresWithin.map(DurationText.format))
        guard let identity = demands.clientIdentity else { return }
        var files = NativeFields()
        files.add("certificate", text: identity.certificate)
        files.add("key", text: identity.key)
        files.add("passphrase", text: identity.passphrase)
        fields.add("clientCertificate", files.value)
    }

    private static func hostRule(_ rule: HostRule) -> YAMLValue {
        var fields = NativeFields()
        fields.add("host", text: rule.pattern)
        if rule.semantics != .exact { fields.add("match", text: rule.semantics.rawValue) }
        if rule.includesSubdomains, ![.exact, .okhttp].contains(rule.semantics) {
            fields.add("includeSubdomains", .flag(true))
        }
        fields.add("pins", .list(rule.pins.map(set)))
        return fields.value
    }

    // MARK: Pins

    private static func set(_ set: PinSet) -> YAMLValue {
        var fields = NativeFields()
        fields.add("anyOf", .list(set.members.map(member)))
        fields.add("position", text: set.position.description)
        if set.chain != .validated { fields.add("chain", text: set.chain.rawValue) }
        if let window = set.window { fields.add("window", self.window(window)) }
        if let expiry = set.expiry {
            fields.add("expires", text: ProfileInstant.last.format(expiry.last))
            if expiry.afterwards != .fail { fields.add("afterExpiry", text: expiry.afterwards.rawValue) }
        }
        if !set.isEnforced { fields.add("enforce", .flag(false)) }
        return fields.value
    }

    private static func member(_ member: PinSet.Member) -> YAMLValue {
        let pin = member.pin.kind == .spki ? "spki:sha256:\(member.pin.digest.base64)" : "\(member.pin)"
        guard member.isBackup || member.expires != nil || member.commonName != nil || member.note != nil else {
            return .text(pin)
        }
        var fields = NativeFields()
        fields.add("pin", text: pin)
        if member.isBackup { fields.add("backup", .flag(true)) }
        fields.add("expires", text: member.expires.map(ProfileInstant.last.format))
        fields.add("commonName", text: member.commonName)
        fields.add("note", text: member.note)
        return fields.value
    }

    private static func window(_ window: TransitionWindow) -> YAMLValue {
        var fields = NativeFields()
        fields.add("from", text: ProfileInstant.first.format(window.start))
        fields.add("to", text: ProfileInstant.last.format(window.end))
        if window.fallback != .alternate { fields.add("fallback", text: window.fallback.rawValue) }
        if window.maximumSkew != TransitionWindow.defaultMaximumSkew {
            fields.add("maxSkew", .number(window.maximumSkew))
        }
        if window.onMissingDate != .strict { fields.add("onMissingDate", text: window.onMissingDate.rawValue) }
        return fields.value
    }

    // MARK: Services

    private static func environment(_ environment: ProfileEnvironment) -> YAMLValue {
        var fields = NativeFields()
        if environment.pinning != .enforce { fields.add("pinning", text: environment.pinning.rawValue) }
        add(environment.demands, to: &fields)
        fields.add("services", services(environment.services))
        return fields.value
    }

    private static func services(_ services: [Service]) -> YAMLValue {
        .map(services.map { ($0.name, service($0)) })
    }

    private static func service(_ service: Service) -> YAMLValue {
        var fields = NativeFields()
        fields.add("url", text: service.target.description)
        fields.add("connect", text: service.target.connect?.description)
        fields.add("alternates", list: service.alternates.map { .text($0.description) })
        fields.add("pins", list: service.pins.map(set))
        fields.add("shareWith", text: service.sharesWith)
        fields.add("certificates", list: service.certificates.map(YAMLValue.text))
        fields.add("emulate", text: service.emulation?.rawValue)
        add(service.demands, to: &fields)
        return fields.value
    }

    // MARK: Models and signers

    private static func modelRule(_ rule: ModelRule) -> YAMLValue {
        var fields = NativeFields()
        fields.add("model", text: rule.model.description)
        fields.add("hosts", .list(rule.hosts.map { .text($0.description) }))
        fields.add("servers", list: rule.servers.map(YAMLValue.text))
        fields.add("serverPins", list: rule.serverPins.map { .text("spki:sha256:\($0.base64)") })
        if rule.dnssec != .off { fields.add("dnssec", text: rule.dnssec.rawValue) }
        fields.add("dnssecAnchors", list: rule.dnssecAnchors.map(YAMLValue.text))
        if rule.strings != .joined { fields.add("strings", text: rule.strings.rawValue) }
        if rule.absence != .transient { fields.add("absent", text: rule.absence.rawValue) }
        if rule.cacheSeconds != ModelRule.defaultCacheSeconds { fields.add("cache", .number(rule.cacheSeconds)) }
        fields.add("registry", list: rule.registry.map(row))
        return fields.value
    }

    private static func row(_ row: ModelRegistryRow) -> YAMLValue {
        var fields = NativeFields()
        fields.add("name", text: row.name.description)
        fields.add("from", text: ProfileInstant.first.format(row.from))
        fields.add("until", text: row.until.map(ProfileInstant.last.format))
        fields.add("version", text: row.version)
        return fields.value
    }

    private static func signer(_ signer: SignerRecord) -> YAMLValue {
        var fields = NativeFields()
        fields.add("name", text: signer.name)
        fields.add("certificate", text: signer.certificate)
        fields.add("commonName", text: signer.commonName)
        fields.add("authorityKeyIdentifier", text: signer.authorityKeyIdentifier)
        fields.add("subjectKeyIdentifier", text: signer.subjectKeyIdentifier)
        fields.add("rootSerial", text: signer.rootSerial)
        return fields.value
    }
}

/// The fields of one mapping, as far as there is something to write.
struct NativeFields {
    private var entries: [(key: String, value: YAMLValue)] = []

    var value: YAMLValue { .map(entries) }

    mutating func add(_ key: String, _ value: YAMLValue) { entries.append((key, value)) }

    mutating func add(_ key: String, text: String?) {
        if let text { add(key, .text(text)) }
    }

    mutating func add(_ key: String, list: [YAMLValue]) {
        if !list.isEmpty { add(key, .list(list)) }
    }
}
