/// The demand of a set, whatever the order of its pins and the words beside them.
struct PinDemand: Hashable {
    /// The set without pins.
    let frame: PinSet
    private let members: Set<PinSet.Member>

    init(_ set: PinSet) {
        var frame = set
        frame.members = []
        self.frame = frame
        members = Set(set.members.map(\.demand))
    }

    static func of(_ sets: [PinSet]) -> Set<PinDemand> { Set(sets.map { PinDemand($0) }) }
}

extension PinSet.Member {
    /// The same without the words beside it.
    var demand: PinSet.Member {
        var member = self
        (member.isBackup, member.note) = (false, nil)
        return member
    }
}
