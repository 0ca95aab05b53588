import ArgumentParser
import ProbeDNS
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// A lint's facts beside the profile and the chains.
struct LintFactOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When the release after this one is expected: a date or RFC 3339.", valueName: "date"))
    var nextRelease: Given<ReleaseDate>?

    @Option(
        help: ArgumentHelp(
            "A TXT record as dig prints it, like '\"dc,florida\"', for what a model rule's host publishes; repeat it for several records, with HOST= before it where the profile has several rules.",
            valueName: "[host=]record"))
    var txt: [String] = []

    @Option(
        help: ArgumentHelp(
            "A CAA record of the domain as zone files write it, like '0 issue \"letsencrypt.org\"'; repeat it.",
            valueName: "record"))
    var caa: [String] = []

    @Option(
        help: ArgumentHelp(
            "Certificates that pins may be of, like a backup CA's, as PEM or DER; repeat it.", valueName: "file"),
        completion: .file())
    var certificates: [String] = []

    @Option(
        help: ArgumentHelp("The DNS backend of --live; the first that can ask when not given.", valueName: "name"),
        completion: .resolver)
    var resolver: String?

    @Option(
        help: ArgumentHelp(
            "Ask this server about allow-lists instead of the profile's, ADDR:PORT or a URL as for check; repeat it.",
            valueName: "addr:port|url"))
    var dnsServer: [String] = []

    @OptionGroup var anchor: DNSAnchorOption

    /// Those of these options that were given and say whom to ask about allow-lists.
    var givenForQuestions: [String] {
        (resolver == nil ? [] : ["--resolver"]) + (dnsServer.isEmpty ? [] : ["--dns-server"])
            + (anchor.dnsCa == nil ? [] : ["--dns-ca"])
    }

    /// Returns the settings for the questions that the profile's model rules ask.
    func settings(over rules: [ModelRule]) throws(InputError) -> ModelSettings {
        let servers = NamedDNSServers(dnsServer)
        try servers.refuse(besidePinsOf: rules)
        let asked = NamedDNSServers(dnsServer.isEmpty ? rules.flatMap(\.servers) : dnsServer)
        guard anchor.dnsCa == nil || !asked.urls.isEmpty else {
            throw InputError(
                "--dns-ca is of no use without an https or tls server",
                remedy: "name one with --dns-server https://NAME/dns-query or tls://NAME")
        }
        return ModelSettings(
            servers: try servers.endpoints(), httpsServers: try servers.https(anchors: anchor.anchors),
            tlsServers: try servers.tls(anchors: anchor.anchors),
            httpsAnchors: anchor.dnsCa == nil ? nil : try anchor.anchors())
    }

    /// Returns the facts that need no queries.
    func facts(_ profile: Profile) throws(InputError) -> LintFacts {
        var facts = LintFacts(publicSuffixes: .system())
        facts.nextRelease = nextRelease?.value.date
        for text in caa {
            do throws(InputError) {
                facts.caa.append(try CAARecord(text))
            } catch {
                throw InputError("--caa \(error.message)", remedy: error.remedy)
            }
        }
        for path in certificates {
            facts.certificates += try CertificateFile.read(path).map { SuppliedChain.certificate($0) }
        }
        facts.lists = try lists(profile)
        return facts
    }

    /// Returns the list that DNS publishes for each model rule.
    func asked(_ checks: [ModelCheck], clock: ProbeClock, timeout: Duration) async throws -> [Int: ModelReading] {
        var lists: [Int: ModelReading] = [:]
        for (index, check) in checks.enumerated() {
            let check =
                check.servers.isEmpty && check.httpsServers.isEmpty && check.tlsServers.isEmpty
                ? check.asking(try DNSOptions.systemServers()) : check
            let resolver = try Backends.current.withoutPrograms.resolver(named: resolver, for: check)
            let evidence = await Prober(clock: clock, lateness: OwnLateness.meter).observe(
                check, through: resolver, deadline: .after(timeout))
            guard let answer = evidence?.deciding else {
                throw InputError(
                    "no resolver can ask about the model '\(check.model?.description ?? "")'",
                    remedy: "choose another --resolver, or other servers")
            }
            lists[index] = answer.reading
        }
        return lists
    }

    /// Returns the list of each rule: that of its first name with a record, which is final.
    private func lists(_ profile: Profile) throws(InputError) -> [Int: ModelReading] {
        var records: [DNSName: [TXTRecord]] = [:]
        for text in txt {
            let (host, record) = try owner(of: text, among: profile.models)
            do throws(InputError) {
                records[host, default: []].append(
                    TXTRecord(owner: host, ttl: 0, strings: try MasterFileStrings.parse(record)))
            } catch {
                throw InputError("--txt \(error.message)", remedy: error.remedy)
            }
        }
        var lists: [Int: ModelReading] = [:]
        for (index, rule) in profile.models.enumerated() {
            guard let published = rule.hosts.lazy.compactMap({ records[$0] }).first else { continue }
            lists[index] = ModelReading(ModelList(records: published, strings: rule.strings), model: rule.model)
        }
        return lists
    }

    /// Returns the name that publishes a record, and the record alone.
    private func owner(of text: String, among rules: [ModelRule]) throws(InputError) -> (DNSName, String) {
        for host in rules.flatMap(\.hosts) where text.hasPrefix("\(host)=") {
            return (host, String(text.dropFirst("\(host)=".count)))
        }
        guard let host = rules.first?.hosts.first else {
            throw InputError("--txt is given and the profile has no model rule", remedy: "leave it out")
        }
        guard rules.count == 1 else {
            throw InputError(
                "--txt '\(text)' does not say which of \(rules.count) model rules it is for",
                remedy: "write \(host)=\(text)")
        }
        return (host, text)
    }
}
