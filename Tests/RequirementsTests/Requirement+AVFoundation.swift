extension Requirement {
    static let avFoundation = [
        row(41, .avFoundation, "Why an earlier design was given up: history without a behaviour", .not),
        row(42, .avFoundation, "One judgement for single checks and for watching, whichever backend shows the facts"),
        row(43, .avFoundation, "The check runs before anything is used: a gate that ends with a code"),
        row(44, .avFoundation, "Watching repeats the check every 600 seconds unless told otherwise"),
        row(45, .avFoundation, "A HEAD request may follow the handshake; its status decides nothing"),
        row(46, .avFoundation, "Windows are dates of the profile, inclusive to the second"),
        row(47, .avFoundation, "On request the window trusts any certificate of the system's, and always warns"),
        row(48, .avFoundation, "A connection that fails is another matter than one that is not to be trusted"),
        row(49, .avFoundation, "Alternates are tried when the target can't be reached, never when it fails a check"),
        row(50, .avFoundation, "A failing watch says so and can run a command", .byAnalogy),
        row(51, .avFoundation, "A watch speaks when something changes, and only then", .byAnalogy),
        row(52, .avFoundation, "Trust, TLS and Apple's demands are judged before pins", .byAnalogy),
        row(53, .avFoundation, "The forecast says when a single certificate pin can't be met any more"),
        row(54, .avFoundation, "A run makes a bounded number of connections", .byAnalogy),
    ]
}
