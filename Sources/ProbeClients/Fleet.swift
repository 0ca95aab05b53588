public import ProbeKit
import ProbeRun

/// The clients that a service's users have, with their shares.
public struct Fleet: Sendable {
    /// A client and its share of the users.
    public struct Member: Sendable {
        /// The client.
        public let client: Client
        /// Its share in percent.
        public let share: Double

        /// Creates a member.
        public init(client: Client, share: Double) {
            self.client = client
            self.share = share
        }
    }

    /// The members, in the order of their file.
    public let members: [Member]
    /// The share of users in percent that has to connect; nil asks for no minimum.
    public let minimum: Double?
    /// The targets; empty where the command line names them.
    public let targets: [String]
    /// The app's profile, seen from the working directory; nil if there is none.
    public let profile: String?

    /// Creates a fleet.
    public init(members: [Member], minimum: Double?, targets: [String] = [], profile: String? = nil) {
        self.members = members
        self.minimum = minimum
        self.targets = targets
        self.profile = profile
    }

    /// Returns the fleet with what its clients' files of roots have now.
    package func readingRoots() -> Fleet {
        Fleet(
            members: members.map { Member(client: $0.client.readingRoots(), share: $0.share) }, minimum: minimum,
            targets: targets, profile: profile)
    }
}

/// The part of a fleet that connects to one target.
public struct FleetReading: Sendable {
    /// A member's verdict.
    public struct Row: Sendable {
        /// The verdict.
        public let result: ClientResult
        /// The client's share of the users in percent, of those that the fleet lists.
        public let share: Double
    }

    /// The verdicts, in the fleet's order.
    public let rows: [Row]
    /// The share that has to connect.
    public let minimum: Double?

    /// Creates the reading of a target's results, which are those of the fleet's members in their order.
    public init(_ fleet: Fleet, _ results: [ClientResult]) {
        let listed = fleet.members.reduce(0) { $0 + $1.share }
        rows = zip(fleet.members, results).map { member, result in
            Row(result: result, share: listed > 0 ? 100 * member.share / listed : 0)
        }
        minimum = fleet.minimum
    }

    /// The share of users that connect.
    public var connecting: Double { share { $0.connects } }
    /// The share of users that the server refuses or that refuse it.
    public var refusing: Double { share { !$0.connects && !$0.isUndecided } }
    /// The share of users of which nothing is known.
    public var undecided: Double { share { !$0.connects && $0.isUndecided } }

    private func share(_ isCounted: (ClientResult) -> Bool) -> Double {
        rows.reduce(0) { $0 + (isCounted($1.result) ? $1.share : 0) }
    }

    /// Sums of shares differ from the shares by rounding.
    static let tolerance = 1e-6

    /// The outcome: `clients-lost` where too few connect whatever those do of which nothing is known.
    public var outcome: Outcome {
        let outcomes = rows.filter { !$0.result.connects && $0.result.isUndecided }.map(\.result.result.verdict.outcome)
        guard let minimum else {
            return connecting > 0 || refusing > 0 ? .pass : Outcome.deciding(among: outcomes)
        }
        if connecting + Self.tolerance >= minimum { return .pass }
        if connecting + undecided + Self.tolerance < minimum { return .clientsLost }
        return Outcome.deciding(among: outcomes)
    }
}
