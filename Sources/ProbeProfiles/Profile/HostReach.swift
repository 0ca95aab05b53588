/// The names that a rule applies to, by the number of labels above its domain.
enum HostReach: String, CaseIterable {
    case itself = "the host itself"
    case children = "names one label below, without the host"
    case selfAndChildren = "the host and names one label below"
    case everything = "the host and all names below"

    init(_ rule: HostRule) {
        switch rule.semantics {
        case .exact: self = .itself
        case .ats: self = rule.includesSubdomains ? .selfAndChildren : .itself
        case .android, .trustkit: self = rule.includesSubdomains ? .everything : .itself
        case .okhttp:
            self = rule.pattern.hasPrefix("**.") ? .everything : rule.pattern.hasPrefix("*.") ? .children : .itself
        }
    }

    /// The covered depths: 0 is the host, 2 is everything below the first label.
    var depths: Set<Int> {
        switch self {
        case .itself: [0]
        case .children: [1]
        case .selfAndChildren: [0, 1]
        case .everything: [0, 1, 2]
        }
    }

    /// Creates the reach that covers these depths and no others.
    init?(_ depths: Set<Int>) {
        guard let reach = Self.allCases.first(where: { $0.depths == depths }) else { return nil }
        self = reach
    }

    /// Returns the narrowest of some reaches that covers no less than this one, else the widest of them.
    func nearest(among reaches: [HostReach]) -> HostReach {
        let wider = reaches.filter { $0.depths.isSuperset(of: depths) }
        return wider.min { $0.depths.count < $1.depths.count } ?? reaches.max { $0.depths.count < $1.depths.count }
            ?? .itself
    }
}
