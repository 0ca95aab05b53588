import Foundation
import Subprocess
import Testing

/// The Makefile names files and folders that are there: those of `make mutants` are met on no other way.
@Suite struct MakefileTests {
    @Test(arguments: ["MUTATED", "PLUGINS", "BENCHMARKS"]) func whatItNamesIsThere(variable: String) async throws {
        let printed = try await Subprocess.run(
            .name("make"),
            arguments: [
                "--silent", "-C", SourceTree.root.path, "--eval=named: ; @printf '%s\\n' $(\(variable))", "named",
            ],
            output: .string(limit: 1 << 16))
        let paths = printed.standardOutput.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("-") }
        #expect(!paths.isEmpty)
        for path in paths {
            let file = SourceTree.root.appending(path: String(path)).path
            #expect(FileManager.default.fileExists(atPath: file), "\(variable) names \(path)")
        }
    }
}
