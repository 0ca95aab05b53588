public import ProbeKit
public import ProbePlatform
public import ProbeProfiles
public import ProbeRun
import ProbeTrust

/// Clients' verdicts on one chain from a day on: that day, and whenever something ends that any of them relies on.
public struct ClientForecast: Sendable {
    /// The cause of a new verdict.
    public enum Event: String, Sendable, Codable, CaseIterable {
        /// The first day.
        case asServed = "as-served"
        /// A presented certificate begins to be valid.
        case chainBegins = "chain-begins"
        /// A certificate above the leaf ends, an anchor included, on whose path clients connected.
        case pathExpires = "path-expires"
        /// A transition window begins.
        case windowBegins = "window-begins"
        /// The second after a transition window.
        case windowEnds = "window-ends"
        /// Pins expire.
        case pinsExpire = "pins-expire"
        /// The second after the leaf's last: whatever follows is about another chain.
        case certificateExpires = "certificate-expires"
    }

    /// An instant with its verdicts.
    public struct Moment: Sendable {
        /// The cause.
        public let event: Event
        /// The instant.
        public let date: Date
        /// The subjects of the presented certificates that begin to be valid then.
        public var begun: [String] = []
        /// The subjects of the certificates above the leaf that have ended since the moment before.
        public var ended: [String] = []
        /// The clients' verdicts, in their order.
        public var results: [ClientResult] = []

        /// The event in words; nil on the first day.
        public var cause: String? {
            switch event {
            case .asServed: return nil
            case .chainBegins: return "\(Self.list(begun)) \(begun.count == 1 ? "begins" : "begin") to be valid"
            case .pathExpires: return "\(Self.list(ended)) \(ended.count == 1 ? "has" : "have") ended"
            case .windowBegins: return "the window begins"
            case .windowEnds: return "the window has ended"
            case .pinsExpire: return "pins have expired"
            case .certificateExpires: return "the certificate has ended"
            }
        }

        private static func list(_ subjects: [String]) -> String {
            subjects.map { "'\($0)'" }.joined(separator: ", ")
        }
    }

    private let clients: [Client]
    private let makeRun: @Sendable (ProbeClock) -> ClientRun

    /// Creates a forecast.
    ///
    /// - Parameter makeRun: returns a run of clients at a clock's instant.
    public init(_ clients: [Client], makeRun: @escaping @Sendable (ProbeClock) -> ClientRun) {
        self.clients = clients
        self.makeRun = makeRun
    }

    /// Returns the changes of pins and windows that a service's forecast has dates of.
    public static func changes(_ rows: [ForecastRow], of service: String) -> [(event: Event, date: Date)] {
        rows.compactMap { row in
            guard row.service == service, let date = row.date else { return nil }
            return switch row.event {
            case .pinsExpire: (.pinsExpire, date)
            case .windowSameKey: (.windowBegins, date)
            case .afterWindow: (.windowEnds, date)
            default: nil
            }
        }
    }

    /// Judges a chain at each instant, until its leaf ends.
    ///
    /// - Parameters:
    ///   - check: the app's demands.
    ///   - chain: DER, the leaf first.
    ///   - instant: the first of the instants.
    ///   - changes: of the app's demands, each judged if it is after the first instant.
    /// - Throws: ``InputError`` if a client's roots can't be read.
    public func moments(
        _ check: Check, chain: [[UInt8]], from instant: Date, changes: [(event: Event, date: Date)]
    ) async throws(InputError) -> [Moment] {
        var agenda = changes.map { Moment(event: $0.event, date: $0.date) } + Self.begins(of: chain)
        agenda +=
            (try? CertificateDetails(certificate: chain.first ?? [])).map {
                [Moment(event: .certificateExpires, date: Self.second(after: $0.notAfter))]
            } ?? []
        var moments: [Moment] = []
        var next: Moment? = Moment(event: .asServed, date: instant)
        while var moment = next {
            let run = makeRun(.fixed(moment.date))
            moment.results = try await run.results(check, clients: clients, chain: chain)
            moments.append(moment)
            guard moment.event != .certificateExpires else { break }
            next = Self.earliest(agenda + Self.ends(of: moment.results), after: moment.date)
        }
        return moments
    }

    /// Returns the begins of presented certificates, each of which may be the one that a path waits for: a chain can be valid
    /// before its last certificate is, and end before that too.
    private static func begins(of chain: [[UInt8]]) -> [Moment] {
        var seen: Set<[UInt8]> = []
        return chain.filter { seen.insert($0).inserted }.compactMap { der in
            guard let details = try? CertificateDetails(certificate: der) else { return nil }
            return Moment(event: .chainBegins, date: details.notBefore, begun: [details.subject])
        }
    }

    /// Returns the ends of all certificates above the leaf on whose paths clients connect.
    private static func ends(of results: [ClientResult]) -> [Moment] {
        var seen: Set<[UInt8]> = []
        let paths = results.filter(\.connects).compactMap { $0.result.evidence.connection?.referenceTrust?.path }
        return paths.flatMap { $0.dropFirst() }.filter { seen.insert($0).inserted }.compactMap { der in
            guard let details = try? CertificateDetails(certificate: der) else { return nil }
            return Moment(event: .pathExpires, date: second(after: details.notAfter), ended: [details.subject])
        }
    }

    /// Returns the first of the moments after an instant; of several at once the leaf's end, and else the first.
    private static func earliest(_ moments: [Moment], after instant: Date) -> Moment? {
        guard let date = moments.map(\.date).filter({ $0 > instant }).min() else { return nil }
        let now = moments.filter { $0.date == date }
        guard var first = now.first(where: { $0.event == .certificateExpires }) ?? now.first else { return nil }
        first.begun = now.flatMap(\.begun)
        first.ended = now.flatMap(\.ended)
        return first
    }

    /// Certificates are valid in the second of their end.
    private static func second(after last: Date) -> Date { last.addingTimeInterval(1) }
}
