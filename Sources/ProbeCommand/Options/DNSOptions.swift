import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeRun
import ProbeTrust

/// The settings for DNS queries, as commands without a profile have them.
struct DNSOptions: ParsableArguments {
    @OptionGroup var question: DNSQuestionOptions<WithoutProfile>
    @OptionGroup var server: DNSServerOption<WithoutProfile>

    var model: Given<ModelName>? { question.model }
    var dnsServer: [String] { server.dnsServer }
    var dnsConnect: Given<Endpoint>? { question.dnsConnect }
    var dnsCa: String? { question.anchor.dnsCa }
    var dnsPin: [Given<SPKIPin>] { question.dnsPin }
    var dnssec: Given<DNSSECPolicy>? { question.dnssec }
    var dnssecAnchor: [String] { question.dnssecAnchor }
    var ednsSize: Given<AnnouncedSize>? { question.ednsSize }
    var txtStrings: Given<TXTStrings>? { question.txtStrings }

    /// Those of these options that were given: without an allow-list to ask for, none of them does anything.
    var optionsGiven: [String] {
        [
            ("--dns-server", !dnsServer.isEmpty), ("--dns-connect", dnsConnect != nil), ("--dns-ca", dnsCa != nil),
            ("--dns-pin", !dnsPin.isEmpty),
            ("--dnssec", dnssec != nil), ("--dnssec-anchor", !dnssecAnchor.isEmpty), ("--edns-size", ednsSize != nil),
            ("--txt-strings", txtStrings != nil),
        ].filter(\.1).map(\.0)
    }

    /// Returns the check of these options for hosts that publish the list, in order and each once.
    func check(hosts: [String], option: String) throws(InputError) -> ModelCheck {
        let policy = dnssec?.value ?? .off
        let ednsSize = ednsSize?.value.bytes ?? DNSQuery.defaultEDNSSize
        var names: [DNSName] = []
        for host in hosts {
            do throws(InputError) {
                let name = try DNSName(host)
                if !names.contains(name) { names.append(name) }
            } catch {
                throw InputError("\(option) \(error.message)", remedy: error.remedy)
            }
        }
        return ModelCheck(
            model: model?.value, hosts: names, servers: try servers(), httpsServers: try httpsServers(),
            tlsServers: try tlsServers(), serverPins: try serverPins(),
            ednsSize: ednsSize == 0 ? nil : ednsSize, dnssec: policy,
            anchors: try anchors(for: policy), strings: txtStrings?.value ?? .joined)
    }

    /// Returns the given options that only a question about an allow-list uses.
    ///
    /// - Parameters:
    ///   - isFollowing: true if the servers are asked for the records that lead to a target.
    ///   - isProving: true if these are validated too.
    func idle(isFollowing: Bool, isProving: Bool = false) -> [String] {
        optionsGiven.filter {
            !(isFollowing && $0 == "--dns-server") && !(isProving && $0 == "--dnssec-anchor")
        }
    }

    /// Returns the check of these options and of `--model-host`; nil if there is nothing to look for.
    func modelCheck(
        hosts modelHost: [String], isFollowing: Bool = false, isProving: Bool = false
    ) throws(InputError) -> ModelCheck? {
        guard model != nil || !modelHost.isEmpty else {
            if let option = idle(isFollowing: isFollowing, isProving: isProving).first {
                throw InputError(
                    "\(option) is given and --model is not", remedy: "say which model to look for with --model NAME")
            }
            return nil
        }
        guard model != nil else {
            throw InputError(
                "--model-host is given and --model is not", remedy: "say which model to look for with --model NAME")
        }
        guard !modelHost.isEmpty else {
            throw InputError(
                "--model is given and --model-host is not", remedy: "say who publishes the list with --model-host NAME")
        }
        return try check(hosts: modelHost, option: "--model-host")
    }

    /// Returns the anchors for a policy: the given ones, else the system's.
    private func anchors(for policy: DNSSECPolicy) throws(InputError) -> [DNSAnchor] {
        guard policy != .off else {
            guard dnssecAnchor.isEmpty else {
                throw InputError("--dnssec-anchor is of no use with --dnssec off", remedy: "add --dnssec require")
            }
            return []
        }
        return dnssecAnchor.isEmpty ? try DNSAnchor.system() : try givenAnchors()
    }

    /// Returns the anchors of `--dnssec-anchor`.
    func givenAnchors() throws(InputError) -> [DNSAnchor] {
        var anchors: [DNSAnchor] = []
        for text in dnssecAnchor {
            do throws(InputError) {
                anchors += text.contains(where: \.isWhitespace) ? [try DNSAnchor(text)] : try DNSAnchor.file(text)
            } catch {
                throw InputError("--dnssec-anchor \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        return anchors
    }

    private func servers() throws(InputError) -> [Endpoint] {
        guard !dnsServer.isEmpty else { return try Self.systemServers() }
        return try given()
    }

    /// Returns the servers to ask over UDP and TCP that were named.
    func given() throws(InputError) -> [Endpoint] {
        try named.endpoints()
    }

    /// Returns the servers to ask over HTTPS that were named.
    func httpsServers() throws(InputError) -> [DoHServer] {
        guard try areURLsNamed() else { return [] }
        return try named.https(dnsConnect?.value, anchors: serverAnchors)
    }

    /// Returns the servers to ask over TLS that were named.
    func tlsServers() throws(InputError) -> [DNSQuery.TLSServer] {
        guard try areURLsNamed() else { return [] }
        return try named.tls(dnsConnect?.value, anchors: serverAnchors)
    }

    /// Returns the keys that servers over TLS may have.
    func serverPins() throws(InputError) -> Set<PinDigest> {
        guard !dnsPin.isEmpty else { return [] }
        guard let other = dnsServer.first(where: { !DNSQuery.TLSServer.isURL($0) }) else {
            guard !dnsServer.isEmpty else {
                throw InputError(
                    "--dns-pin is of no use without a tls server", remedy: "name one with --dns-server tls://NAME")
            }
            return Set(dnsPin.map(\.value.digest))
        }
        throw InputError(
            "--dns-pin is given, and the key of --dns-server \(other) can't be compared with it",
            remedy: "ask servers of the form tls://NAME alone, or leave --dns-pin out")
    }

    private var named: NamedDNSServers { NamedDNSServers(dnsServer) }

    /// Rejects `--dns-connect` and `--dns-ca` where they are of no use.
    ///
    /// - Returns: false if no URL was named.
    private func areURLsNamed() throws(InputError) -> Bool {
        let urls = named.urls
        guard let first = urls.first else {
            guard dnsConnect == nil, dnsCa == nil else {
                throw InputError(
                    "\(dnsConnect == nil ? "--dns-ca" : "--dns-connect") is of no use without an https or tls server",
                    remedy: "name one with --dns-server https://NAME/dns-query or tls://NAME")
            }
            return false
        }
        guard dnsConnect == nil || urls.count == 1 else {
            throw InputError(
                "--dns-connect can't say which of \(urls.count) https or tls servers it is for",
                remedy: "give one, like --dns-server \(first)")
        }
        return true
    }

    /// Returns the anchors of https and tls servers: those of `--dns-ca`, else the system's.
    func serverAnchors() throws(InputError) -> TrustAnchors {
        try question.anchor.anchors()
    }

    /// Returns the servers this system names.
    static func systemServers() throws(InputError) -> [Endpoint] {
        let servers = SystemResolvers.endpoints()
        guard !servers.isEmpty else {
            throw InputError("this system names no DNS server", remedy: "say whom to ask with --dns-server ADDR:PORT")
        }
        return servers
    }
}

extension DNSOptions {
    /// Joins parts that a command has by themselves.
    init(_ question: DNSQuestionOptions<BesideProfile>, _ server: DNSServerOption<BesideProfile>) {
        self.init()
        self.question = DNSQuestionOptions(question)
        self.server = DNSServerOption(server)
    }
}
