import ArgumentParser
import ProbeKit
import ProbeNet

/// The DNS servers to ask.
struct DNSServerOption<Setting: OptionSetting>: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Ask this server; repeat it. \(Setting.beside("The profile's or the system's", else: "The system's")) when not \
            given. ADDR:PORT is asked over UDP and TCP, \
            tls://NAME over TLS, \
            https://NAME/dns-query over HTTPS by POST, https://NAME/dns-query{?dns} by GET; each resolver asks those it can, \
            and tls servers after those of ADDR:PORT.
            """, valueName: "addr:port|url"))
    var dnsServer: [String] = []
}

/// The model to look for, and the way in which DNS is asked about it.
struct DNSQuestionOptions<Setting: OptionSetting>: ParsableArguments {
    @Option(help: ArgumentHelp("The security model that has to be on the list.", valueName: "name"))
    var model: Given<ModelName>?

    @Option(
        help: ArgumentHelp("Dial here for the https or tls server; the name stays the URL's.", valueName: "addr:port"))
    var dnsConnect: Given<Endpoint>?

    @OptionGroup var anchor: DNSAnchorOption

    @Option(
        help: ArgumentHelp(
            "A key that a tls server may have, SHA-256 of its SubjectPublicKeyInfo; repeat it. Its certificate has to be trusted as well.",
            valueName: "pin"))
    var dnsPin: [Given<SPKIPin>] = []

    @Option(
        help: ArgumentHelp(
            "DNSSEC validation: off, prefer or require; off when not given.\(Setting.beside(" With --profile it can only be stricter than the model rules.", else: ""))",
            valueName: "policy"))
    var dnssec: Given<DNSSECPolicy>?

    @Option(
        help: ArgumentHelp(
            "What validation starts from: a file of DS or DNSKEY records, or one record; repeat it. \(Setting.beside("The profile's or the system's", else: "The system's")) when not given.",
            valueName: "file|record"), completion: .file())
    var dnssecAnchor: [String] = []

    @Option(
        help: ArgumentHelp(
            "The EDNS0 UDP size to advertise, 512 to 65535; 0 sends no EDNS; \(DNSQuery.defaultEDNSSize) when not given.",
            valueName: "bytes"))
    var ednsSize: Given<AnnouncedSize>?

    @Option(
        help: ArgumentHelp(
            "Read the strings of a TXT record joined, or each by itself: joined or separate; joined when not given.\(Setting.beside(" With --profile it can't join what a model rule reads separately.", else: ""))",
            valueName: "reading"))
    var txtStrings: Given<TXTStrings>?
}

extension DNSQuestionOptions {
    /// Takes the values of a command with another setting.
    init(_ other: DNSQuestionOptions<some OptionSetting>) {
        // In an initialiser, assigning to the property itself would give its wrapper a default and no value.
        var own = Self()
        own.model = other.model
        own.dnsConnect = other.dnsConnect
        own.anchor = other.anchor
        own.dnsPin = other.dnsPin
        own.dnssec = other.dnssec
        own.dnssecAnchor = other.dnssecAnchor
        own.ednsSize = other.ednsSize
        own.txtStrings = other.txtStrings
        self = own
    }
}

extension DNSServerOption {
    /// Takes the value of a command with another setting.
    init(_ other: DNSServerOption<some OptionSetting>) {
        var own = Self()
        own.dnsServer = other.dnsServer
        self = own
    }
}
