import ArgumentParser

/// The backends in other programs.
struct PluginOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A backend in a program of its own, probe-transport-NAME or probe-resolver-NAME; repeat it.",
            valueName: "program"))
    var plugin: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A folder with such programs, or with folders of them; repeat it. They belong to all; those of PATH are found by \
            name only.
            """, valueName: "folder"))
    var pluginPath: [String] = []
}
