import ProbeKit
import ProbeNet
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeScan
import ProbeTrust

/// The parts of a scan that are known before its first target.
struct ScanPlan {
    let format: ScanFormat
    let addresses: AddressChoice
    let template: CheckTemplate
    let transports: [any Transport]
    let resolvers: [any Resolver]
    let slots: ScanSlots
    let limiter: RateLimiter?
    let options: ScanSettings

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
        // An object a line has them among its findings.
        if format != .json {
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
            options: try settings(template, concurrency: width))
    }

    /// The number of targets that may wait for silent peers, as a multiple of those in progress: enough that a tenth of
    /// silent ones at the usual deadline does not slow the others down. Each waiting handshake takes 30 to 70 KiB, so
    /// several backends share them.
    private static let waitingForEach = 24

    /// Returns the number of targets in progress at once, and the number of others that may wait for silent peers.
    private func places(transports: Int) throws(InputError) -> (width: Int, waiting: Int) {
        let width = scan.width
        // Happy eyeballs may have two connections to one target.
        let each = 2 * transports * (reach.addresses.allAddresses ? AddressChoice.atOnce : 1)
        // A name that waits for other lookups would lose its time to them.
        let waiting = min(max(1, Self.waitingForEach / transports) * width, max(width, HostLookup.mostAtOnce - width))
        let connections = DescriptorLimit.raise(forConnections: (width + waiting) * each)
        let room = connections / each
        // One at a time is tried with whatever there is, as without the option.
        guard room >= width || scan.concurrency == nil || width == 1 else {
            throw InputError(
                "--concurrency \(width) needs \(width * each) connections, and the process may have \(connections)",
                remedy: "raise the limit with ulimit -n" + (room > 0 ? ", or give at most \(room)" : ""))
        }
        return (max(1, min(width, room)), max(0, min(waiting, room - width)))
    }

    private func settings(_ template: CheckTemplate, concurrency: Int) throws(InputError) -> ScanSettings {
        var settings = ScanSettings(
            timeout: connection.limit, pinChain: policy.chain.rawValue, trust: policy.trustMode.rawValue,
            minTLS: policy.minimumTLS.number, serverDate: policy.serverDateMode.rawValue,
            dnssec: (dns.dnssec?.value ?? .off).rawValue, concurrency: concurrency)
        settings.at = connection.at?.text
        settings.connect = connection.connect?.text
        settings.startTLS = reach.startTLS?.text
        settings.proxy = reach.proxy.proxy?.text
        settings.pins = policy.pin.map(\.text)
        settings.certificates = policy.expectCertificate
        settings.policies = policy.policy
        settings.emulate = policy.emulate?.text
        settings.alpn = policy.protocols
        settings.expiresWithin = policy.expiresWithin?.text
        settings.model = dns.model?.text
        settings.modelHosts = modelHost
        settings.dnsServers = template.model?.serverTexts ?? dns.dnsServer
        settings.allAddresses = reach.addresses.allAddresses
        settings.family = reach.addresses.family?.text
        settings.follow = reach.addresses.follow ? true : nil
        settings.spacing = scan.spacing
        settings.shard = scan.shard?.text
        if !template.certificates.isEmpty {
            settings.certificateDigests = template.certificates.flatMap(\.certificates).map(PinDigest.sha256)
            settings.certificatePlaces = template.certificates.map { "\($0.position):\($0.certificates.count)" }
        }
        settings.clientCertificate = template.clientIdentity?.chain.first.map(PinDigest.sha256)
        settings.proxyAnchors = reach.proxy.proxyCA == nil ? nil : try reach.proxy.anchors().storeDigest
        settings.dnsConnect = dns.dnsConnect?.text
        settings.dnsAnchors = dns.dnsCa == nil ? nil : try dns.serverAnchors().storeDigest
        settings.dnsPins = dns.dnsPin.isEmpty ? nil : dns.dnsPin.map(\.text)
        settings.dnssecAnchors = dns.dnssecAnchor.isEmpty ? nil : try dns.givenAnchors().map(\.description)
        settings.ednsSize = dns.ednsSize?.text
        settings.systemSettings = SystemSettings.areAsked ? true : nil
        settings.txtStrings = dns.txtStrings?.text
        return settings
    }

    /// Rejects options that do not go with each other, and returns those that were read for it.
    private func refuseIdle() throws -> (ScanFormat, AddressChoice) {
        guard !scan.targets.isEmpty || scan.list != nil else {
            throw InputError("no target was given", remedy: "write probe scan TARGET…, or --list FILE")
        }
        guard !scan.retryFailed || scan.resume != nil else {
            throw InputError(
                "--retry-failed is of no use without --resume",
                remedy: "name the output of the earlier scan with --resume")
        }
        let addresses = try reach.addresses.choice(connection, dns, resolvers: backends.resolverChoice)
        let format: ScanFormat = try OutputFormat(named: scan.format, among: ScanOptions.formats) == .csv ? .csv : .json
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
