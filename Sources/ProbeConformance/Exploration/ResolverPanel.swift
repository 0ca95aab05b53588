import ProbeDNS
public import ProbeKit
public import ProbeLab
import Synchronization

/// Our strict reader and resolvers of this process, asked about replies that a server of the lab sends.
public struct ResolverPanel: Sendable {
    private let resolvers: [any Resolver]
    private let patience: Duration
    private let replies: Replies
    private let servers: [Endpoint]
    private let httpsServers: [DoHServer]

    /// Starts the server, over HTTPS too where a resolver is asked in no other way, and stops it whatever happens.
    ///
    /// - Parameters:
    ///   - resolvers: the resolvers to ask.
    ///   - patience: the time after which a resolver hangs; its own deadline is half of it.
    ///   - body: asks.
    /// - Throws: an error of the lab, when a server could not be started, and those of `body`.
    public static func run<Value: Sendable>(
        _ resolvers: [any Resolver], patience: Duration = .seconds(60),
        body: @Sendable (ResolverPanel) async throws -> Value
    ) async throws -> Value {
        let replies = Replies()
        let zone = LabDNSZone { replies.behaviour(for: $0) }
        let isOverHTTPS = resolvers.contains { !$0.capabilities.contains(.chosenServers) }
        return try await LabDNSServer.run(zone) { server in
            func ask(_ httpsServers: [DoHServer]) async throws -> Value {
                try await body(
                    ResolverPanel(
                        resolvers: resolvers, patience: patience, replies: replies, servers: [server.endpoint],
                        httpsServers: httpsServers))
            }
            guard isOverHTTPS else { return try await ask([]) }
            return try await LabDoHServer.run(zone, pki: DNSScenario.pki) { https in
                try await ask([https.server(.post)])
            }
        }
    }

    /// Returns everybody's answer to a reply. Each resolver asks for a name of its own, so that no cache answers.
    public func ask(_ reply: ExploredReply) async -> ExploredAnswers {
        let expected = reading(reply)
        var answers: [(name: String, answer: ExploredAnswer?)] = []
        for resolver in resolvers {
            let answer = await replies.withName(of: reply) { name in
                await Abandonable.run(within: patience) { [self] _ in await read(name, through: resolver) }
            }
            answers.append(
                (resolver.name, answer.map { Self.answer($0, of: resolver, beside: expected) } ?? .hung))
        }
        return ExploredAnswers(reference: Self.answer(expected, beside: expected), backends: answers)
    }

    /// Returns the bytes of a reply, as sent over TCP to a query without an id.
    public static func bytes(_ reply: ExploredReply) -> [UInt8] {
        guard let name = Replies.name(0) else { return [] }
        return bytes(reply, to: name)
    }

    private static let model = try? ModelName("florida")

    private static func bytes(_ reply: ExploredReply, to name: DNSName) -> [UInt8] {
        let query = DNSQueryMessage.bytes(name: name, id: 0, ednsSize: DNSQuery.defaultEDNSSize)
        return LabDNSQuery(query, over: .tcp, from: 53).map { reply.message(to: name).wireBytes(to: $0) } ?? []
    }

    /// The reading of the bytes alone.
    private func reading(_ reply: ExploredReply) -> ModelReading {
        guard let name = Replies.name(0) else { return .absent(.noData) }
        return switch TXTReader.read(Self.bytes(reply, to: name), id: 0, name: name) {
        case .records(let records): ModelReading(ModelList(records: records), model: Self.model)
        case .absent(let absence): .absent(absence)
        case .indeterminate(let doubt): .indeterminate(doubt)
        }
    }

    private func read(_ name: DNSName, through resolver: any Resolver) async -> ModelReading {
        let isChosen = resolver.capabilities.contains(.chosenServers)
        let query = DNSQuery(
            name: name, servers: isChosen ? servers : [], httpsServers: isChosen ? [] : httpsServers, tries: 1,
            instant: isChosen ? nil : DNSScenario.pki.epoch, deadline: .after(patience / 2))
        return ModelReading(await resolver.resolve(query), name: name, model: Self.model)
    }

    private static func answer(
        _ reading: ModelReading, of resolver: (any Resolver)? = nil, beside expected: ModelReading
    ) -> ExploredAnswer {
        let isOther = reading.list.map { list in expected.list.map { $0.items != list.items } ?? false } ?? false
        guard case .indeterminate(let doubt) = reading, resolver?.capabilities.contains(.failureReasons) ?? true else {
            return ExploredAnswer(isOther ? "another-list" : reading.outcome.rawValue)
        }
        return ExploredAnswer(reading.outcome.rawValue, cause: doubt.code)
    }
}

extension ModelReading {
    /// The list that was read; nil if there is none.
    fileprivate var list: ModelList? {
        switch self {
        case .listed(let list), .listedInPart(let list), .notListed(let list): list
        case .absent, .indeterminate, .readingsDisagree: nil
        }
    }
}

/// The replies that are asked about now, by the name that stands for each.
private final class Replies: Sendable {
    private let state = Mutex<(last: Int, replies: [DNSName: ExploredReply])>((0, [:]))

    /// The names are equally long: every byte of a reply has the same place with each.
    static func name(_ number: Int) -> DNSName? {
        let digits = String(number)
        let label = "q" + String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        return DNSName(labels: [Array(label.utf8)] + ExploredReply.zone)
    }

    /// Runs `body` with a name that was never asked for.
    func withName<Value>(of reply: ExploredReply, body: (DNSName) async -> Value?) async -> Value? {
        let name = state.withLock { state -> DNSName? in
            state.last += 1
            let name = Self.name(state.last)
            if let name { state.replies[name] = reply }
            return name
        }
        guard let name else { return nil }
        let value = await body(name)
        state.withLock { _ = $0.replies.removeValue(forKey: name) }
        return value
    }

    /// The target of an alias has what the reply says of it, for resolvers that ask again; else a list of its own.
    func behaviour(for name: DNSName) -> LabDNSBehaviour {
        state.withLock { state in
            if let reply = state.replies[name] { return .reply(reply.message(to: name)) }
            guard let (above, reply) = state.replies.first(where: { name.isWithin($0.key) }) else {
                return .reply(LabDNSMessage(responseCode: .refused))
            }
            let own = reply.message(to: above).answers.filter { $0.owner == name }
            return .reply(LabDNSMessage(answers: own.isEmpty ? [.txt("dc,florida")] : own))
        }
    }
}
