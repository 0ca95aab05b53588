import ProbeKit
import ProbeNet
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTrust

/// The parts of a scan that are known before its first target.
struct ScanPlan {
    let format: OutputFormat
    let addresses: AddressChoice
    let template: CheckTemplate
    let transports: [any Transport]
    let resolvers: [any Resolver]
    let slots: ScanSlots
    let limiter: RateLimiter?
    let options: ScanManifest.Options

    var terms: ScanTerms {
        ScanTerms(transports: transports, resolvers: resolvers, anchors: template.anchors, options: options)
    }
}

extension ScanCommand {
    /// Reads all options, and returns what the scan consists of.
    func plan() throws -> ScanPlan {
        let (format, addresses) = try refuseIdle()
        var template = try CheckTemplate(
            connection, revocation, reach, policy,
            model: try dns.modelCheck(hosts: modelHost, isFollowing: reach.addresses.follow))
        try backends.refuseIdleResolvers(for: template.model)
        let model = try template.model.map { model throws(InputError) in try backends.asked(model) }
        let (transports, notes) = try backends.able(needing: template.optionalCapabilities, beside: model)
        (template.model, template.notes) = (model?.check, notes)
        if !format.showsNotes {
            var leftOut = RunNotes()
            leftOut.report(notes + (model?.notes ?? []))
        }
        let (width, waiting) = try places(transports: transports.count)
        let slots = ScanSlots(
            width: width, waitingLimit: waiting, startingWith: 2 * ProcessInfo.processInfo.activeProcessorCount)
        return ScanPlan(
            format: format, addresses: addresses, template: template, transports: transports,
            resolvers: model?.resolvers ?? [], slots: slots,
            limiter: scan.limiter(ScanSleeper { slots.isClosed }),
            options: try manifestOptions(template, concurrency: width))
    }

    /// The number of targets that may wait for silent peers, as a multiple of those in progress: enough that a tenth of
    /// silent ones at the usual deadline does not slow the others down. Each waiting handshake takes about 100 KiB, so
    /// several backends share them.
    private static let waitingForEach = 24

    /// Returns the number of targets in progress at once, and the number of others that may wait for silent peers.
    private func places(transports: Int) throws(InputError) -> (width: Int, waiting: Int) {
        let width = scan.width
        // Happy eyeballs may have two connections to one target.
        let each = 2 * transports * (reach.addresses.allAddresses ? AddressChoice.atOnce : 1)
        // A name that waits for other lookups would lose its time to them.
        let waiting = min(max(1, Self.waitingForEach / transports) * width, max(width, HostLookup.mostAtOnce - width))
        let room = DescriptorLimit.raise(forConnections: (width + waiting) * each) / each
        guard room >= width || scan.concurrency == nil else {
            throw InputError(
                "--concurrency \(width) needs \(width * each) connections, and the process may have \(room * each)",
                remedy: "raise the limit with ulimit -n, or give at most \(max(room, 1))")
        }
        return (max(1, min(width, room)), max(0, min(waiting, room - width)))
    }

    private func manifestOptions(_ template: CheckTemplate, concurrency: Int) throws(InputError) -> ScanManifest.Options
    {
        ScanManifest.Options(
            at: connection.at?.text, timeout: connection.limit.inSeconds, connect: connection.connect?.text,
            startTLS: reach.startTLS?.text, proxy: reach.proxy.proxy?.text,
            pins: policy.pin.map(\.text),
            pinChain: policy.chain.rawValue, certificates: policy.expectCertificate, policies: policy.policy,
            emulate: policy.emulate?.text, trust: policy.trustMode.rawValue,
            minTLS: policy.minimumTLS.number, alpn: policy.protocols,
            serverDate: policy.serverDateMode.rawValue, expiresWithin: policy.expiresWithin?.text,
            model: dns.model?.text, modelHosts: modelHost,
            dnsServers: template.model?.serverTexts ?? dns.dnsServer,
            dnssec: (dns.dnssec?.value ?? .off).rawValue, allAddresses: reach.addresses.allAddresses,
            family: reach.addresses.family?.text, follow: reach.addresses.follow ? true : nil, concurrency: concurrency,
            spacing: scan.spacing, shard: scan.shard?.text,
            certificateDigests: template.certificates.isEmpty
                ? nil : template.certificates.flatMap(\.certificates).map(PinDigest.sha256),
            certificatePlaces: template.certificates.isEmpty
                ? nil : template.certificates.map { "\($0.position):\($0.certificates.count)" },
            clientCertificate: template.clientIdentity?.chain.first.map(PinDigest.sha256),
            proxyAnchors: reach.proxy.proxyCA == nil ? nil : try reach.proxy.anchors().storeDigest,
            dnsConnect: dns.dnsConnect?.text, dnsAnchors: dns.dnsCa == nil ? nil : try dns.serverAnchors().storeDigest,
            dnsPins: dns.dnsPin.isEmpty ? nil : dns.dnsPin.map(\.text),
            dnssecAnchors: dns.dnssecAnchor.isEmpty ? nil : try dns.givenAnchors().map(\.description),
            ednsSize: dns.ednsSize?.text, systemSettings: backends.systemSettings ? true : nil,
            txtStrings: dns.txtStrings?.text)
    }

    /// Rejects options that do not go with each other, and returns those that were read for it.
    private func refuseIdle() throws -> (OutputFormat, AddressChoice) {
        guard !scan.targets.isEmpty || scan.list != nil else {
            throw InputError("no target was given", remedy: "write probe scan TARGET…, or --list FILE")
        }
        guard !scan.retryFailed || scan.resume != nil else {
            throw InputError(
                "--retry-failed is of no use without --resume",
                remedy: "name the output of the earlier scan with --resume")
        }
        let addresses = try reach.addresses.choice(connection, dns, resolvers: backends.resolverChoice)
        let format = try OutputFormat(named: scan.format, among: [.json, .csv])
        guard format == .json || scan.resume == nil else {
            throw InputError(
                "--format csv and --resume are given, and a scan goes on from JSON alone",
                remedy: "leave one of the two out")
        }
        guard
            policy.pinChain == nil || !policy.pin.isEmpty || !policy.expectCertificate.isEmpty || scan.list != nil
                || scan.targets.contains(where: { $0.hasPrefix("{") })
        else {
            throw InputError(
                "--pin-chain is of no use without --pin or --expect-certificate", remedy: "say what to look for in it")
        }
        try ReachOptions.refuse(policy.serverDateMode, of: reach.startTLS?.value)
        return (format, addresses)
    }
}
