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

    @Option(help: ArgumentHelp("The seed of the search; 1 when not given.", valueName: "number"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "A folder for the simplest chain of each kind found: certificates as PEM, and the question as probe verify reads it.",
            valueName: "folder"))
    var examples: String?

    /// True if a search is asked for.
    var isAsked: Bool { explore != nil || exploreChains != nil }

    /// The names of those given without a search.
    var idle: [String] {
        isAsked ? [] : [("--seed", seed != nil), ("--examples", examples != nil)].filter(\.1).map(\.0)
    }

    func validate() throws {
        if let explore, !(explore > 0 && explore <= 604_800) {
            throw ValidationError("--explore must be above 0, and at most 604800 seconds")
        }
        if let exploreChains, exploreChains < 1 {
            throw ValidationError("--explore-chains must be 1 or more")
        }
    }
}
