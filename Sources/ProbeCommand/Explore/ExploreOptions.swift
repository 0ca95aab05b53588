import ArgumentParser
import ProbeKit

/// The options of the search for differences.
struct ExploreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Search for differences between the backends for so long: valid chains are changed at random, and all are asked.",
            valueName: "seconds"))
    var explore: Double?

    @Option(
        help: ArgumentHelp(
            "End the search after so many chains; with the same seed they are the same chains.", valueName: "count"))
    var exploreChains: Int?

    @Option(
        help: ArgumentHelp(
            "Search for DNS replies that the resolvers read differently, and end after so many; with --explore at its end, if that comes first.",
            valueName: "count"))
    var exploreReplies: Int?

    @Option(
        help: ArgumentHelp("The seed of the search; 1 when not given.", valueName: "number"),
        transform: OptionNumber.seed)
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "A folder for the simplest chain or reply of each kind found: certificates as PEM with the question as probe verify reads it, or the message as sent over TCP.",
            valueName: "folder"), completion: .directory)
    var examples: String?

    /// True if a search is asked for.
    var isAsked: Bool { explore != nil || exploreChains != nil || exploreReplies != nil }

    /// The names of those given without a search.
    var idle: [String] {
        isAsked ? [] : [("--seed", seed != nil), ("--examples", examples != nil)].filter(\.1).map(\.0)
    }

    func validate() throws {
        if let explore, !(explore > 0 && explore <= 604_800) {
            throw ValidationError("--explore must be above 0, and at most 604800 seconds")
        }
        for (name, count) in [("--explore-chains", exploreChains), ("--explore-replies", exploreReplies)] {
            if let count, count < 1 { throw ValidationError("\(name) must be 1 or more") }
        }
        if exploreChains != nil, exploreReplies != nil {
            throw ValidationError("--explore-chains and --explore-replies are two searches: give one of them")
        }
    }
}
