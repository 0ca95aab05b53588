import Foundation
import Subprocess
import Testing

/// The Makefile and its scripts work in a fresh clone: many of their commands are run in no test.
@Suite struct MakefileTests {
    /// Those of `make mutants` are met on no other way.
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

    /// The file is not in git: a fresh clone has it only after a build, or by its own rule.
    @Test func recipesMakeThePackageVersionsThatTheyCopy() throws {
        let text = try String(contentsOf: SourceTree.root.appending(path: "Makefile"), encoding: .utf8)
        var rule = ""
        var copies = 0
        for line in text.split(separator: "\n") {
            if !line.hasPrefix("\t") { rule = String(line) }
            guard line.hasPrefix("\t"), line.contains("cp Package.resolved") else { continue }
            copies += 1
            #expect(rule.contains(": ") && rule.split(separator: " ").contains("Package.resolved"), "\(rule)")
        }
        #expect(copies >= 3)
    }

    /// Scripts that name an interpreter are started by their paths, except Slurm's, which it reads itself.
    @Test func scriptsCanBeStarted() throws {
        let root = SourceTree.root
        var scripts = 0
        for folder in [".ci", "Benchmarks", "Examples", "Fuzz", "Integrations", "Packaging", "Plugins", "Scripts"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            for path in paths where !path.hasSuffix(".sbatch") && !path.split(separator: "/").contains("build") {
                let file = root.appending(path: "\(folder)/\(path)")
                guard (try? FileHandle(forReadingFrom: file).read(upToCount: 2)) == Data("#!".utf8) else { continue }
                scripts += 1
                #expect(FileManager.default.isExecutableFile(atPath: file.path), "\(folder)/\(path)")
            }
        }
        #expect(scripts > 40)
    }
}
