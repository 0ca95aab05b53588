extension KnownDifference {
    /// The differences between resolvers whose reasons are known; the first entry that fits is taken. `docs/explored.md` has them
    /// with their counts.
    public static let replies: [KnownDifference] = [
        KnownDifference(
            ["alias/chaos", "record/class-*"], of: ["unbound"], answer: "dns-indeterminate",
            "libunbound gives up a reply with a record of another class. Our reader and the others pass over the record."
        ),
        KnownDifference(
            ["alias/*", "shape/alias"], of: ["unbound"], answer: "dns-indeterminate",
            "libunbound asks for the target of an alias itself, and has no answer where the server has none for that name. The others judge the reply as it came."
        ),
    ]
}
