import ProbeKit
import ProbePins
package import ProbeRoots
import Synchronization

/// The root stores and the clients that have the anchor of one path and none of the others', in words for a finding.
package final class KnownTakers: Sendable {
    /// Those of the program and of the user's own stores.
    private static let standard = KnownTakers(.standard(), clients: (try? ClientCatalogue.shipped().clients) ?? [])

    /// The most clients that are named.
    private static let named = 6

    private struct Question: Hashable {
        let anchor: [UInt8]
        let usual: [[UInt8]]
    }

    private let database: RootDatabase
    private let clients: [Client]
    /// A scan asks the same of many targets.
    private let known = Mutex<[Question: String?]>([:])

    package init(_ database: RootDatabase, clients: [Client]) {
        self.database = database
        self.clients = clients
    }

    /// Returns the words of the standard ones. They are read at the first question, which few checks have.
    @Sendable package static func words(anchor: [UInt8], usual: [[UInt8]]) -> String? {
        standard.words(anchor: anchor, usual: usual)
    }

    /// Returns the words; nil if no store has that anchor alone.
    package func words(anchor: [UInt8], usual: [[UInt8]]) -> String? {
        let question = Question(anchor: anchor, usual: usual.sorted { $0.lexicographicallyPrecedes($1) })
        if let words = known.withLock({ $0[question] }) { return words }
        let words = search(question)
        known.withLock { known in
            // There are as many anchors as stores have; a scan of a hostile network has no more.
            if known.count < 1024 { known[question] = .some(words) }
        }
        return words
    }

    private func search(_ question: Question) -> String? {
        // A file of the user's own that can't be read was reported when its store was named.
        guard
            let stores = try? database.days(having: [question.anchor], without: Set(question.usual))
                .filter({ !$0.runs.isEmpty })
        else { return nil }
        guard !stores.isEmpty else { return nil }
        let list = stores.map { "\($0.store)@\($0.runs.map(Self.text).joined(separator: " and "))" }
        let takers = clients.filter { client in stores.contains { has($0, client) } }.map(\.name)
        return "it is the only one for root stores \(list.joined(separator: ", "))" + Self.text(takers)
    }

    /// Returns true if the client's roots are a snapshot of one of the runs.
    private func has(_ store: RootStoreDays, _ client: Client) -> Bool {
        guard let roots = client.roots, let name = try? RootStoreName(roots), name.store == store.store,
            let day = try? database.heading(name).day
        else { return false }
        return store.runs.contains { $0.first <= day && day <= $0.last }
    }

    private static func text(_ run: RootStoreDays.Run) -> String {
        run.first == run.last ? run.first : "\(run.first) to \(run.isOpen ? "now" : run.last)"
    }

    private static func text(_ clients: [String]) -> String {
        guard !clients.isEmpty else { return "" }
        let more = clients.count > named ? " and \(clients.count - named) more clients" : ""
        return ", so for \(clients.prefix(named).joined(separator: ", "))\(more)"
    }
}
