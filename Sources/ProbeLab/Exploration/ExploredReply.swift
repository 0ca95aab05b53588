public import ProbeKit

/// A DNS reply made from a right one by mutations; a seed and a number give the same reply again.
public struct ExploredReply: Sendable {
    /// The right reply it was made from.
    public let shape: String
    /// The mutations in the order they are applied.
    public let mutations: [ExploredMutation]

    /// The place of all names; what is below a name that was asked for has a list of its own.
    public static let zone: [[UInt8]] = [Array("explored".utf8), Array("test".utf8)]

    /// Makes one of the replies of a seed.
    public init(seed: UInt64, number: Int) {
        var numbers = SeededNumbers(seed: seed, member: UInt64(number))
        let shape = ReplyShape.allCases[numbers.below(ReplyShape.allCases.count)]
        self = numbers.example(by: ReplyRule.names) { Self(shape, $0) } ?? Self(shape: shape.rawValue, mutations: [])
    }

    private init(shape: String, mutations: [ExploredMutation]) {
        self.shape = shape
        self.mutations = mutations
    }

    /// Makes a shape with mutations; nil if one of them does not apply to it.
    init?(_ shape: ReplyShape, _ mutations: [ExploredMutation]) {
        guard let name = DNSName(labels: Self.zone), Self.message(shape, mutations, to: name) != nil else { return nil }
        self.init(shape: shape.rawValue, mutations: mutations)
    }

    /// Returns the reply to a question for a name's TXT records.
    public func message(to name: DNSName) -> LabDNSMessage {
        let plain = LabDNSMessage(responseCode: .serverFailure)
        guard let shape = ReplyShape(rawValue: shape) else { return plain }
        return Self.message(shape, mutations, to: name) ?? plain
    }

    /// The replies with one mutation fewer, and those with the same mutations on a simpler shape.
    public var simpler: [ExploredReply] {
        guard let own = ReplyShape(rawValue: shape) else { return [] }
        let fewer = mutations.indices.compactMap { place in
            var rest = mutations
            rest.remove(at: place)
            return ExploredReply(own, rest)
        }
        let plainer = ReplyShape.allCases.prefix { $0 != own }.compactMap { ExploredReply($0, mutations) }
        return fewer + plainer
    }

    private static func message(
        _ shape: ReplyShape, _ mutations: [ExploredMutation], to name: DNSName
    ) -> LabDNSMessage? {
        var plan = ReplyPlan(name: name, message: shape.message(to: name))
        for mutation in mutations {
            guard let rule = ReplyRule.named[mutation.rule] else { return nil }
            var numbers = SeededNumbers(seed: mutation.seed)
            guard rule.apply(&plan, &numbers) else { return nil }
        }
        return plan.message
    }
}

/// A reply before it is sent.
struct ReplyPlan: Sendable {
    /// The name that is asked for.
    let name: DNSName
    var message: LabDNSMessage

    /// A name below the one that is asked for.
    func below(_ label: String) -> DNSName { DNSName(labels: [Array(label.utf8)] + name.labels) ?? name }
}

/// The right replies that others are made from, the simplest first.
enum ReplyShape: String, CaseIterable, Sendable {
    /// One record with the list.
    case list
    /// The list in several strings of one record.
    case strings
    /// Two records with the same list.
    case twice
    /// An alias and the list of its target.
    case alias
    /// A list that needs more than one datagram.
    case long
    /// No such name.
    case absent
    /// No record of this type.
    case empty

    func message(to name: DNSName) -> LabDNSMessage {
        let plan = ReplyPlan(name: name, message: LabDNSMessage())
        let soa = LabDNSRecord.soa(zone: DNSName(labels: ExploredReply.zone))
        return switch self {
        case .list: LabDNSMessage(answers: [.txt("dc,florida")])
        case .strings: LabDNSMessage(answers: [.txt("dc,", "flor", "ida")])
        case .twice: LabDNSMessage(answers: [.txt("dc,florida"), .txt("dc,florida")])
        case .alias:
            LabDNSMessage(answers: [.cname(plan.below("list")), .txt("dc,florida", owner: plan.below("list"))])
        case .long:
            LabDNSMessage(answers: [.txt("florida," + (0..<220).map { "model\($0)" }.joined(separator: ","))])
        case .absent: LabDNSMessage(authorities: [soa], responseCode: .nameError)
        case .empty: LabDNSMessage(authorities: [soa])
        }
    }
}
