import Foundation
import FuzzBytes
import FuzzCommand
import FuzzFiles
import Subprocess
import Testing

/// The inputs that fuzzing has found and that are kept: each property holds for all of them.
@Suite struct FuzzCorpusTests {
    private static let targets = byteTargets + fileTargets + commandTargets
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz")

    @Test(arguments: targets.map(\.name)) func everyKeptInputHolds(name: String) async throws {
        let target = try #require(Self.targets.first { $0.name == name })
        for (file, bytes) in try Self.inputs(of: name) {
            do {
                try await target.run(bytes)
            } catch {
                Issue.record("\(name)/\(file): \(error)")
            }
        }
        try await target.run([])
    }

    /// They are few and small: the repository holds them.
    @Test(arguments: targets.map(\.name)) func theCorpusIsSmall(name: String) throws {
        let inputs = try Self.inputs(of: name)
        // An input that once was a find stays beside those that were chosen.
        let chosen = inputs.filter { !$0.file.hasPrefix("find-") }
        #expect((1...50).contains(chosen.count), "\(name): \(chosen.count) inputs")
        #expect(inputs.reduce(0) { $0 + $1.bytes.count } <= 200_000)
        let dictionary = Self.folder.appending(path: "Dictionaries").appending(path: "\(name).dict")
        #expect(FileManager.default.fileExists(atPath: dictionary.path))
    }

    @Test func everyCorpusIsOfATarget() throws {
        let names = Set(Self.targets.map(\.name))
        #expect(names.count == Self.targets.count)
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: "Corpus").path)
        #expect(Set(folders) == names)
    }

    /// They are made of the sources and of other tests' samples, which move.
    @Test func everyTargetBeginsWithInputs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-seeds-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try await Subprocess.run(
            .name("python3"), arguments: [Self.folder.appending(path: "seeds.py").path, folder.path],
            output: .discarded, error: .string(limit: 1 << 16))
        #expect(made.terminationStatus.isSuccess, "\(made.standardError)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(folders) == Set(Self.targets.map(\.name)))
    }

    private static func inputs(of name: String) throws -> [(file: String, bytes: [UInt8])] {
        let corpus = folder.appending(path: "Corpus").appending(path: name)
        return try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted().map { file in
            (file, Array(try Data(contentsOf: corpus.appending(path: file))))
        }
    }
}
