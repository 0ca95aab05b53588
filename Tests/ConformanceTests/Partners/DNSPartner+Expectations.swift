import ProbeKit

extension DNSPartner {
    /// The outcome of each name with every server, except for its ``doubts``.
    static let expectations: [(label: String, outcome: Outcome)] = [
        ("simple", .pass), ("chunks", .pass), ("joined", .passWithWarnings), ("escape", .pass), ("upper", .pass),
        ("two", .passWithWarnings), ("many", .passWithWarnings), ("empty", .modelNotListed), ("l600", .pass),
        ("l1300", .pass),
        ("l60000", .pass), ("alias", .pass), ("c3", .pass), ("c0", .pass), ("x.wild", .pass), ("nothing", .modelAbsent),
        ("address", .modelAbsent), ("gone", .modelAbsent),
        // dnsdist truncates the first over UDP, knows no EDNS for the second, and takes its time for the third.
        ("truncated.wild", .pass), ("old.wild", .pass), ("late.wild", .pass),
    ]

    /// The names about which the server leaves nothing known, and the reasons: here servers differ, and resolvers that
    /// report reasons must not.
    var doubts: [String: String] {
        switch self {
        // All links are in one reply, and more than we follow.
        case .nsd: ["d0": "alias-chain-too-long", "loop1": "alias-loop", "x.sub": "referral"]
        // It stops after five links and answers NOERROR. That is not a list without the model.
        case .knot, .knotWithoutUDP:
            ["c0": "absence-unproven", "d0": "absence-unproven", "loop1": "alias-loop", "x.sub": "referral"]
        // They stop after some more than eight links with SERVFAIL, BIND with the links it followed.
        case .bind, .powerdns: ["d0": "server-failure", "loop1": "server-failure", "x.sub": "referral"]
        // It follows loops and referrals itself.
        case .unbound: ["d0": "alias-chain-too-long", "loop1": "server-failure", "x.sub": "server-failure"]
        case .dnsdist: Self.nsd.doubts.merging(Self.spoilt) { $1 }
        }
    }

    /// The effects of dnsdist's rules on names that have a list.
    private static let spoilt = [
        "drop.wild": "timeout", "servfail.wild": "server-failure", "refused.wild": "query-refused",
        // Truncated over UDP, dropped over TCP.
        "cut.wild": "connection-closed",
    ]

    /// The approximate sizes of the lists' text in bytes, and whether they fit into the 1232 bytes of a packet.
    static let sizes: [(label: String, bytes: Int, fits: Bool)] = [
        ("simple", 24, true), ("l600", 600, true), ("l1300", 1300, false), ("many", 2031, false),
        ("l60000", 60_000, false),
    ]
}
