import ArgumentParser

/// The options of a check that are the app's or the machine's: they hold for emulated clients too.
struct AppCheckOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("HOST, HOST:PORT, [IPv6]:PORT or a URL like https:// or smtp://.", valueName: "target"))
    var targets: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var transports: TransportOptions
    @OptionGroup var place: DialOptions
    @OptionGroup var moment: InstantOption
    @OptionGroup var reach: ReachOptions
    @OptionGroup var demanded: DemandOptions
    @OptionGroup var server: DNSServerOption<BesideProfile>
}

/// The options of a check in whose place an emulated client has facts of its own, and those about allow-lists, for which
/// it asks nobody.
struct ClientFactOptions: ParsableArguments {
    @OptionGroup var anchor: AnchorOptions
    @OptionGroup var revocation: RevocationOptions

    @Flag(
        help: ArgumentHelp(
            "Judge mail hosts by DANE: the TLSA records of the MX hosts, proved by DNSSEC, say whom to trust (RFC 7672).",
            discussion: """
                For SMTP between servers: smtp://DOMAIN, whose MX hosts are dialled as with --follow. A host without records \
                that DNSSEC proves and mail servers can use fails. --dns-server and --dnssec-anchor say whom to ask and \
                believe.
                """))
    var dane = false

    @OptionGroup var stack: StackOptions

    @Option(
        help: ArgumentHelp(
            "A name that publishes the allow-list; repeat it for alternates, in order.", valueName: "name"))
    var modelHost: [String] = []

    @OptionGroup var question: DNSQuestionOptions<BesideProfile>
    @OptionGroup var resolver: ResolverOption
}
