import Foundation
import ProbeTestSupport
import Testing

/// The shell functions that the scripts in `Packaging` share. The scripts themselves run in `make deb`, `make try` and `make image`.
@Suite(.bounded) struct PackagingScriptTests {
    private static let folder =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Packaging").path

    /// Returns the lines that a script prints after it has sourced a file of `Packaging`.
    private static func lines(_ file: String, _ script: String) async throws -> [String] {
        let ended = try await Probe.shell("set -euo pipefail; . '\(folder)/\(file)'\n\(script)")
        try #require(ended.code == 0, "\(ended.errors)")
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test("a package made before the release's tag is older than the release, and one made after it newer")
    func versions() async throws {
        try await ScratchFolder.with { folder in
            let versions = try await Self.lines(
                "deb-metadata.sh",
                """
                export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null SOURCE_DATE_EPOCH=1790000000
                cd '\(folder)'
                commit() { git -c user.name=a -c user.email=a@a.test commit -q --allow-empty -m "$1"; }
                git init -q; commit before; deb_version 1.2.0
                commit release; git tag v1.2.0; deb_version 1.2.0
                commit after; deb_version 1.2.0
                git checkout -q v1.2.0~1; deb_version 1.2.0
                """)
            let time = "git20260921.141320"
            #expect(versions == ["1.2.0~\(time)", "1.2.0", "1.2.0+\(time)", "1.2.0~\(time)"])
            let order = try await Probe.shell(
                "command -v dpkg >/dev/null || exit 3; dpkg --compare-versions '1.2.0~\(time)' lt 1.2.0 && "
                    + "dpkg --compare-versions '1.2.0+\(time)' gt 1.2.0")
            if order.code == 3 { try leaveOut("dpkg is not installed") } else { #expect(order.code == 0) }
        }
    }

    @Test("a clone without its history has no order, but for the release's own tag")
    func shallow() async throws {
        try await ScratchFolder.with { folder in
            let versions = try await Self.lines(
                "deb-metadata.sh",
                """
                export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null SOURCE_DATE_EPOCH=1790000000
                cd '\(folder)'
                commit() { git -c user.name=a -c user.email=a@a.test commit -q --allow-empty -m "$1"; }
                git init -q; commit release; git tag v1.2.0; commit after; git tag v1.2.0-2
                for tag in v1.2.0 v1.2.0-2; do
                    git clone -q --depth 1 --branch $tag "file://$PWD" $tag 2>/dev/null
                    (cd $tag; deb_version 1.2.0 2>/dev/null || echo refused)
                done
                """)
            #expect(versions == ["1.2.0", "refused"])
        }
    }

    @Test(
        "a maintainer's name is written as it is", arguments: ["Smith & Sons", "a/b", #"a\1\n|#"#, "Zoë O.", "$HOME"])
    func maintainer(_ name: String) async throws {
        let lines = try await Self.lines(
            "deb-metadata.sh",
            "printf 'Source: a\\nMaintainer: b <b@b.test>\\nSection: net\\n' | with_maintainer '\(name) <a@a.test>'")
        #expect(lines == ["Source: a", "Maintainer: \(name) <a@a.test>", "Section: net"])
    }

    @Test("the program that a function runs in the background is found, and not the shell around it")
    func deepest() async throws {
        let lines = try await Self.lines(
            "deepest.sh",
            """
            inside() { env "$@"; }
            inside tail -f /dev/null >/dev/null 2>&1 &
            shell=$!
            until program=$(deepest "$shell") && [ "$(cat "/proc/$program/comm" 2>/dev/null)" = tail ]; do kill -0 "$shell"; done
            [ "$program" != "$shell" ]
            kill "$program"
            code=0; wait "$shell" 2>/dev/null || code=$?
            echo "$code"
            """)
        #expect(lines == ["143"])
    }
}
