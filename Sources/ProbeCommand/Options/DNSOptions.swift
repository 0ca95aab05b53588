import ArgumentParser
import ProbeKit
import ProbeNet

/// How DNS is asked.
struct DNSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The security model that has to be on the list.", valueName: "name"))
    var model: String?

    @Option(help: ArgumentHelp("Ask this server; repeat it. The system's when not given.", valueName: "addr:port"))
    var dnsServer: [String] = []

    @Option(help: ArgumentHelp("DNSSEC validation: off, prefer or require.", valueName: "policy"))
    var dnssec: String = DNSSECPolicy.off.rawValue

    @Option(
        help: ArgumentHelp(
            "What validation starts from: a file of DS or DNSKEY records, or one record; repeat it. The system's when not given.",
            valueName: "file|record"))
    var dnssecAnchor: [String] = []

    @Option(help: ArgumentHelp("The EDNS0 UDP size to advertise, 512 to 65535; 0 sends no EDNS.", valueName: "bytes"))
    var ednsSize: Int = Int(DNSQuery.defaultEDNSSize)

    @Option(
        help: ArgumentHelp(
            "Read the strings of a TXT record joined, or each by itself: joined or separate.", valueName: "reading"))
    var txtStrings: String = TXTStrings.joined.rawValue

    /// The check of these options for hosts that publish the list, in order.
    func check(hosts: [String], option: String) throws(InputError) -> ModelCheck {
        guard let policy = DNSSECPolicy(rawValue: dnssec) else {
            throw InputError("--dnssec '\(dnssec)' is unknown", remedy: "choose off, prefer or require")
        }
        guard let strings = TXTStrings(rawValue: txtStrings) else {
            throw InputError("--txt-strings '\(txtStrings)' is unknown", remedy: "choose joined or separate")
        }
        guard ednsSize == 0 || (512...65535).contains(ednsSize) else {
            throw InputError("--edns-size \(ednsSize) is no UDP size", remedy: "give 512 to 65535, or 0 for no EDNS")
        }
        var names: [DNSName] = []
        for host in hosts {
            do throws(InputError) {
                names.append(try DNSName(host))
            } catch {
                throw InputError("\(option) \(error.message)", remedy: error.remedy)
            }
        }
        return ModelCheck(
            model: try modelName(), hosts: names, servers: try servers(),
            ednsSize: ednsSize == 0 ? nil : UInt16(ednsSize), dnssec: policy,
            anchors: try anchors(for: policy), strings: strings)
    }

    private func modelName() throws(InputError) -> ModelName? {
        guard let model else { return nil }
        do throws(InputError) {
            return try ModelName(model)
        } catch {
            throw InputError("--model \(error.message)", remedy: error.remedy)
        }
    }

    /// A record has blanks between its fields.
    private func anchors(for policy: DNSSECPolicy) throws(InputError) -> [DNSAnchor] {
        guard policy != .off else {
            guard dnssecAnchor.isEmpty else {
                throw InputError("--dnssec-anchor is of no use with --dnssec off", remedy: "add --dnssec require")
            }
            return []
        }
        guard !dnssecAnchor.isEmpty else { return try DNSAnchor.system() }
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
        guard !dnsServer.isEmpty else { return try systemServers() }
        var servers: [Endpoint] = []
        for text in dnsServer {
            servers.append(try ConnectionOptions.endpoint(text, option: "--dns-server", defaultPort: 53))
        }
        return servers
    }

    private func systemServers() throws(InputError) -> [Endpoint] {
        let servers = SystemResolvers.endpoints()
        guard !servers.isEmpty else {
            throw InputError("this system names no DNS server", remedy: "say whom to ask with --dns-server ADDR:PORT")
        }
        return servers
    }
}
