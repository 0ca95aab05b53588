public import ProbeKit
import ProbeLab
public import ProbePlatform

/// All promises of backends, run over the given backends.
///
///     let suite = ConformanceSuite(transports: [MyTransport()], resolvers: [])
///     let report = await suite.run()
///     print(report.matrix)
///
/// Servers are started on loopback as they are needed; nothing else is contacted and no file is written.
public struct ConformanceSuite: Sendable {
    /// The progress of a run.
    public struct Progress: Sendable {
        /// The cell that has just been filled.
        public let cell: ConformanceReport.Cell
        /// The id of its case.
        public let id: String
        /// The number of finished cells.
        public let done: Int
        /// The number of all cells.
        public let total: Int
    }

    /// One case on one backend, and the position of its result.
    private struct Job: Sendable {
        let row: Int
        let id: String
        let run: @Sendable () async -> ConformanceReport.Cell
    }

    private let transports: [any Transport]
    private let resolvers: [any Resolver]
    private let validators: [any SignatureValidator]
    private let tls: [TLSScenario]
    private let dns: [DNSScenario]
    private let signatures: [SignatureScenario]
    private let concurrency: Int
    private let pki: LabPKI

    /// The ids of the cases that are left out: this machine has no address ::1, and a server of theirs needs it.
    public let leftOut: [String]

    /// The instant around which the lab's certificates are valid.
    public static let epoch = TLSScenario.epoch

    /// Creates a suite for backends.
    ///
    /// - Parameters:
    ///   - transports: the transports for the TLS scenarios.
    ///   - resolvers: the resolvers for the DNS scenarios.
    ///   - validators: the validators for the scenarios about signatures.
    ///   - exemptions: known differences of backends, beside those written with the scenarios.
    ///   - filter: only the case with this id, or those whose id contains this text.
    ///   - concurrency: the number of cells in progress at a time, at least one.
    ///   - epoch: the instant the lab's certificates are valid around; any will do.
    public init(
        transports: [any Transport], resolvers: [any Resolver], validators: [any SignatureValidator] = [],
        exemptions: ConformanceExemptions = ConformanceExemptions(), filter: String? = nil, concurrency: Int = 16,
        epoch: Date = ConformanceSuite.epoch
    ) {
        self.init(
            transports: transports, resolvers: resolvers, validators: validators, exemptions: exemptions,
            filter: filter,
            concurrency: concurrency, epoch: epoch, canListen: LabServer.canListen)
    }

    /// - Parameter canListen: returns false for an address that this machine lacks.
    package init(
        transports: [any Transport], resolvers: [any Resolver], validators: [any SignatureValidator] = [],
        exemptions: ConformanceExemptions = ConformanceExemptions(), filter: String? = nil, concurrency: Int = 16,
        epoch: Date = ConformanceSuite.epoch, canListen: (IPAddress) -> Bool
    ) {
        let tls = TLSScenario.all + TLSScenario.divergences
        let ids = tls.map(\.id) + DNSScenario.all.map(\.id) + SignatureScenario.all.map(\.id)
        let isWhole = filter.map(ids.contains) ?? false
        func isWanted(_ id: String) -> Bool { filter.map { isWhole ? id == $0 : id.contains($0) } ?? true }
        self.transports = transports
        self.resolvers = resolvers
        self.validators = validators
        let lacking = Set([IPAddress.loopback6].filter { !canListen($0) })
        let wantedTLS = transports.isEmpty ? [] : tls.filter { isWanted($0.id) }
        self.tls = wantedTLS.filter { !lacking.contains($0.address) }.map { $0.exempting(exemptions) }
        let wantedDNS = resolvers.isEmpty ? [] : DNSScenario.all.filter { isWanted($0.id) }
        dns = wantedDNS.filter { lacking.isDisjoint(with: $0.servers.map(\.address)) }.map { $0.exempting(exemptions) }
        leftOut =
            wantedTLS.filter { lacking.contains($0.address) }.map(\.id)
            + wantedDNS.filter { !lacking.isDisjoint(with: $0.servers.map(\.address)) }.map(\.id)
        signatures =
            validators.isEmpty ? [] : SignatureScenario.all.filter { isWanted($0.id) }.map { $0.exempting(exemptions) }
        self.concurrency = max(1, concurrency)
        pki = LabPKI(epoch: epoch)
    }

    /// The names of the backends.
    public var backends: Set<String> {
        Set(transports.map(\.name) + resolvers.map(\.name) + validators.map(\.name))
    }

    /// The number of cells of a run: cases × backends.
    public var count: Int { jobs.count }

    /// The cases that some backend is asked, without results.
    public var cases: [ConformanceReport.Case] {
        let asked = Set(jobs.map(\.row))
        let all = report([[ConformanceReport.Cell]](repeating: [], count: tls.count + dns.count + signatures.count))
        return all.cases.enumerated().filter { asked.contains($0.offset) }.map(\.element)
    }

    /// Runs every case on every backend that it concerns.
    ///
    /// - Parameter progress: called after each cell, one call at a time.
    /// - Returns: the report; a run that is cancelled reports the cells it got to.
    public func run(progress: (@Sendable (Progress) async -> Void)? = nil) async -> ConformanceReport {
        let jobs = jobs
        var cells = [[ConformanceReport.Cell]](repeating: [], count: tls.count + dns.count + signatures.count)
        await withTaskGroup(of: (Job, ConformanceReport.Cell).self) { group in
            var waiting = jobs.makeIterator()
            func start() {
                guard !Task.isCancelled, let job = waiting.next() else { return }
                group.addTask { (job, await job.run()) }
            }
            for _ in 0..<min(concurrency, jobs.count) { start() }
            var done = 0
            for await (job, cell) in group {
                start()
                done += 1
                cells[job.row].append(cell)
                await progress?(Progress(cell: cell, id: job.id, done: done, total: jobs.count))
            }
        }
        return report(cells)
    }

    private var jobs: [Job] { tlsJobs + dnsJobs + signatureJobs }

    private var tlsJobs: [Job] {
        tls.enumerated().flatMap { row, scenario in
            transports.filter { scenario.isAsked(of: $0) || scenario.deviations[$0.name] != nil }.map {
                transport in
                Job(row: row, id: scenario.id) { [pki] in
                    await scenario.cell(of: transport, pki: pki)
                }
            }
        }
    }

    private var dnsJobs: [Job] {
        dns.enumerated().flatMap { row, scenario in
            resolvers.filter { scenario.isAsked(of: $0) || scenario.exemptions[$0.name] != nil }.map {
                resolver in
                Job(row: tls.count + row, id: scenario.id) {
                    await scenario.cell(of: resolver)
                }
            }
        }
    }

    private var signatureJobs: [Job] {
        signatures.enumerated().flatMap { row, scenario in
            validators.map { validator in
                Job(row: tls.count + dns.count + row, id: scenario.id) { [pki] in
                    await scenario.cell(of: validator, pki: pki)
                }
            }
        }
    }

    /// Cells arrive in any order; the report has them in that of the backends.
    private func report(_ cells: [[ConformanceReport.Cell]]) -> ConformanceReport {
        func sorted(_ cells: [ConformanceReport.Cell], _ names: [String]) -> [ConformanceReport.Cell] {
            names.compactMap { name in cells.first { $0.backend == name } }
        }
        let transportNames = transports.map(\.name)
        let resolverNames = resolvers.map(\.name)
        let validatorNames = validators.map(\.name)
        return ConformanceReport(
            tls: zip(tls, cells).map { scenario, cells in
                .init(
                    id: scenario.id, sentence: scenario.sentence, source: scenario.source,
                    expected: scenario.expected, expectedCode: scenario.expectedCode,
                    cells: sorted(cells, transportNames))
            },
            dns: zip(dns, cells.dropFirst(tls.count)).map { scenario, cells in
                .init(
                    id: scenario.id, sentence: scenario.sentence, source: scenario.source,
                    expected: scenario.expected, expectedCode: scenario.expectedCode,
                    cells: sorted(cells, resolverNames))
            },
            signatures: zip(signatures, cells.dropFirst(tls.count + dns.count)).map { scenario, cells in
                .init(
                    id: scenario.id, sentence: scenario.sentence, source: scenario.source,
                    expected: scenario.expected?.outcome ?? .pass, expectedCode: scenario.expected?.rawValue,
                    cells: sorted(cells, validatorNames))
            }, leftOut: leftOut)
    }
}
