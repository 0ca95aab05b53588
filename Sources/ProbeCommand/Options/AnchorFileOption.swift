import ArgumentParser
import ProbeRoots

/// The file of trust anchors.
struct AnchorFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust the certificates of this PEM or DER file instead of the system's.", valueName: "file"),
        completion: .file())
    var ca: String?
}

/// The trust anchors of a command that prints one decision, or none: it can't demand that every root store agrees.
struct SingleStoreOptions: ParsableArguments {
    @OptionGroup var file: AnchorFileOption

    @Option(
        help: ArgumentHelp(
            "Trust a root store as it was on a day, like mozilla@2021-05; see probe roots list.",
            valueName: "name[@day]"))
    var roots: Given<RootStoreName>?

    /// The same options as every command has them.
    var anchors: AnchorOptions { AnchorOptions(file, roots) }
}

extension AnchorOptions {
    /// Joins parts that a command has by themselves.
    init(_ file: AnchorFileOption, _ roots: Given<RootStoreName>?) {
        var own = Self()
        own.file = file
        own.roots = roots
        self = own
    }
}
