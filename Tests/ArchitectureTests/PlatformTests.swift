import Foundation
import Testing

/// The platform is one file's business.
@Suite struct PlatformTests {
    /// The file that knows the C library and Foundation's parts, the one beside it that knows whether there is libidn2, and
    /// the one that lists Linux' backends.
    private static let knowing = [
        "ProbePlatform/Platform.swift", "ProbePlatform/InternationalName.swift", "probe/LinuxBackends.swift",
    ]

    /// One of them is in each question about the platform.
    private static let words = ["os(", "canImport(", "Glibc", "Musl", "Darwin", "FoundationEssentials"]

    /// Foundation takes an empty TMPDIR for the root.
    @Test func oneFileKnowsTheTemporaryFolder() throws {
        var users: Set<String> = []
        for file in try SourceTree.files(in: SourceTree.sources) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("temporaryDirectory") && !text.contains("NSTemporaryDirectory"), "\(file.path)")
            if text.contains(#""TMPDIR""#) { users.insert(file.lastPathComponent) }
        }
        #expect(users == ["TemporaryFolder.swift"])
    }

    @Test func oneFileKnowsThePlatform() throws {
        let asking =
            #/^\s*(?:#(?:else)?if .*\b(?:os|canImport)\(|.*\bimport (?:Glibc|Musl|Darwin|FoundationEssentials)\b)/#
            .anchorsMatchLineEndings()
        var count = 0
        for folder in ["Sources", "Tests"] {
            let top = SourceTree.root.appending(path: folder)
            for path in try FileManager.default.subpathsOfDirectory(atPath: top.path) where path.hasSuffix(".swift") {
                count += 1
                let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
                let isKnowing = Self.knowing.contains(path)
                let isAsking =
                    SourceTree.contains(text, anyOf: Self.words) && text.firstMatch(of: asking) != nil
                #expect(isAsking == isKnowing, "\(folder)/\(path)")
            }
        }
        #expect(count > 700, "\(count) files were read")
    }
}
