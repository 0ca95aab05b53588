import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeRun
import ProbeTrust

/// The settings for DNS queries.
struct DNSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The security model that has to be on the list.", valueName: "name"))
    var model: Given<ModelName>?

    @Option(
        help: ArgumentHelp(
            """
            Ask this server; repeat it. The profile's or the system's when not given. ADDR:PORT is asked over UDP and TCP, \
            tls://NAME over TLS, \
            https://NAME/dns-query over HTTPS by POST, https://NAME/dns-query{?dns} by GET; each resolver asks those it can, \
            and tls servers after those of ADDR:PORT.
            """, valueName: "addr:port|url"))
    var dnsServer: [String] = []

    @Option(
        help: ArgumentHelp("Dial here for the https or tls server; the name stays the URL's.", valueName: "addr:port"))
    var dnsConnect: Given<Endpoint>?

    @Option(
        help: ArgumentHelp(
            "Trust the certificates of this PEM or DER file for https and tls servers instead of the system's.",
            valueName: "file"))
    var dnsCa: String?

    @Option(
        help: ArgumentHelp(
            "A key that a tls server may have, SHA-256 of its SubjectPublicKeyInfo; repeat it. Its certificate has to be trusted as well.",
            valueName: "pin"))
    var dnsPin: [Given<SPKIPin>] = []

    @Option(
        help: ArgumentHelp(
            "DNSSEC validation: off, prefer or require; off when not given. With --profile it can only be stricter than the model rules.",
            valueName: "policy"))
    var dnssec: Given<DNSSECPolicy>?

    @Option(
        help: ArgumentHelp(
            "What validation starts from: a file of DS or DNSKEY records, or one record; repeat it. The profile's or the system's when not given.",
            valueName: "file|record"))
    var dnssecAnchor: [String] = []

    @Option(
        help: ArgumentHelp(
            "The EDNS0 UDP size to advertise, 512 to 65535; 0 sends no EDNS; \(DNSQuery.defaultEDNSSize) when not given.",
            valueName: "bytes"))
    var ednsSize: Given<AnnouncedSize>?

    @Option(
        help: ArgumentHelp(
            "Read the strings of a TXT record joined, or each by itself: joined or separate; joined when not given. With --profile it can't join what a model rule reads separately.",
            valueName: "reading"))
    var txtStrings: Given<TXTStrings>?

    /// Those of these options that were given: without an allow-list to ask for, none of them does anything.
    var optionsGiven: [String] {
        [
            ("--dns-server", !dnsServer.isEmpty), ("--dns-connect", dnsConnect != nil), ("--dns-ca", dnsCa != nil),
            ("--dns-pin", !dnsPin.isEmpty),
            ("--dnssec", dnssec != nil), ("--dnssec-anchor", !dnssecAnchor.isEmpty), ("--edns-size", ednsSize != nil),
            ("--txt-strings", txtStrings != nil),
        ].filter(\.1).map(\.0)
    }

    /// Returns the check of these options for hosts that publish the list, in order.
    func check(hosts: [String], option: String) throws(InputError) -> ModelCheck {
        let policy = dnssec?.value ?? .off
        let ednsSize = ednsSize?.value.bytes ?? DNSQuery.defaultEDNSSize
        var names: [DNSName] = []
        for host in hosts {
            do throws(InputError) {
                names.append(try DNSName(host))
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
        var servers: [Endpoint] = []
        for text in dnsServer where !DoHServer.isURL(text) && !DNSQuery.TLSServer.isURL(text) {
            servers.append(try ConnectionOptions.dnsServer(text))
        }
        return servers
    }

    /// Returns the servers to ask over HTTPS that were named.
    func httpsServers() throws(InputError) -> [DoHServer] {
        try servers(of: DoHServer.isURL, DoHServer.init)
    }

    /// Returns the servers to ask over TLS that were named.
    func tlsServers() throws(InputError) -> [DNSQuery.TLSServer] {
        try servers(of: DNSQuery.TLSServer.isURL, DNSQuery.TLSServer.init)
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

    /// Returns the servers of one kind of URL that were named.
    private func servers<Server>(
        of isOfKind: (String) -> Bool,
        _ make: (String, Endpoint?, TrustAnchors) throws(InputError) -> Server
    ) throws(InputError) -> [Server] {
        let urls = dnsServer.filter { DoHServer.isURL($0) || DNSQuery.TLSServer.isURL($0) }
        guard let first = urls.first else {
            guard dnsConnect == nil, dnsCa == nil else {
                throw InputError(
                    "\(dnsConnect == nil ? "--dns-ca" : "--dns-connect") is of no use without an https or tls server",
                    remedy: "name one with --dns-server https://NAME/dns-query or tls://NAME")
            }
            return []
        }
        guard dnsConnect == nil || urls.count == 1 else {
            throw InputError(
                "--dns-connect can't say which of \(urls.count) https or tls servers it is for",
                remedy: "give one, like --dns-server \(first)")
        }
        guard urls.contains(where: isOfKind) else { return [] }
        let (connect, anchors) = (dnsConnect?.value, try serverAnchors())
        var servers: [Server] = []
        for url in urls where isOfKind(url) {
            do throws(InputError) {
                servers.append(try make(url, connect, anchors))
            } catch {
                throw InputError("--dns-server \(error.message)", remedy: error.remedy)
            }
        }
        return servers
    }

    /// Returns the anchors of https and tls servers: those of `--dns-ca`, else the system's.
    func serverAnchors() throws(InputError) -> TrustAnchors {
        guard let dnsCa else { return try .system() }
        do throws(InputError) {
            return try .file(dnsCa)
        } catch {
            throw InputError("--dns-ca \(error.message)", remedy: error.remedy, source: error.source)
        }
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
