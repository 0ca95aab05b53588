extension Requirement {
    static let minvws = [
        row(81, .minvws, "Trust, certificate and signature are three verdicts"),
        row(82, .minvws, "Challenges other than for the server's trust belong to the platform's client", .not),
        row(83, .minvws, "The name is always part of the trust decision"),
        row(84, .minvws, "Trusted certificates come from files of the profile; a list from elsewhere has to be signed"),
        row(85, .minvws, "With anchors given nothing else is trusted, not even when none of them can be read"),
        row(86, .minvws, "The seed's looser reading of names is told beside ours on request"),
        row(87, .minvws, "The names of a certificate are shown"),
        row(88, .minvws, "Two certificates are the same only in hash, serial number, key identifier and key"),
        row(89, .minvws, "Any certificate of the chain may be the expected one"),
        row(90, .minvws, "A detached signature over any content is validated"),
        row(91, .minvws, "A validator that allows everything exists for tests, and can't be reached by the command"),
        row(92, .minvws, "A bad or empty signature, or one of nobody trusted, is invalid"),
        row(93, .minvws, "Signers are held to name, certificate, common name, key identifiers and serial number"),
        row(94, .minvws, "A key identifier is taken with or without its DER header"),
        row(107, .minvws, "A caller's own validator takes the place of ours"),
    ]
}
