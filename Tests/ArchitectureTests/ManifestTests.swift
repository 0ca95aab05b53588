import Foundation
import Testing

/// The manifest lists for each target in `Tests` the modules that its files import, and no others. The compiler finds a
/// module that is not listed if another target had it built before, so that a build fails in one order and not in the next.
@Suite struct ManifestTests {
    @Test(arguments: try PackageManifest.current().targets)
    func aTargetListsWhatItImports(target: PackageManifest.Listed) throws {
        let manifest = try PackageManifest.current()
        let files = try SourceTree.files(in: SourceTree.root.appending(path: target.folder))
        #expect(!files.isEmpty, "\(target.folder) has no sources")
        let known = manifest.names.subtracting(LayeringTests.everybodys)
        let imported = Set(try files.flatMap(SourceTree.imports)).intersection(known)
        let missing = imported.subtracting(target.dependencies)
        #expect(missing == [], "\(target) imports these and does not list them")
        let unused = target.dependencies.subtracting(imported).subtracting(manifest.programs)
        #expect(unused == [], "\(target) lists these and does not import them")
    }

    /// A target that is written in another form is not passed over.
    @Test func everyTargetOfTestsIsRead() throws {
        let text = try PackageManifest.text()
        let read = PackageManifest(text).targets
        #expect(read.filter { $0.name.hasSuffix("Tests") }.count == text.matches(of: #/\.testTarget\(/#).count)
        #expect(
            read.count == text.matches(of: #/\.testTarget\(/#).count + text.matches(of: #/path: "Tests\//#).count)
    }

    @Test func theListsAreReadAsTheyAreWritten() throws {
        let manifest = PackageManifest(
            """
            let nioCore: Target.Dependency = .product(
                name: "NIOCore", package: "swift-nio", condition: probing)
            .target(name: "Kit"),
            .executableTarget(name: "say-kit", dependencies: ["Kit"], path: "Tests/Say"),
            .testTarget(
                name: "KitTests",
                // .testTarget(name: "OldTests", dependencies: ["Kit"]),
                dependencies: [
                    "Kit", "say-kit", .target(name: "Serve", condition: serve), nioCore,
                ]),
            """)
        #expect(manifest.targets.map(\.name) == ["say-kit", "KitTests"])
        #expect(manifest.targets.map(\.folder) == ["Tests/Say", "Tests/KitTests"])
        #expect(manifest.targets.last?.dependencies == ["Kit", "say-kit", "Serve", "NIOCore"])
        #expect(manifest.programs == ["say-kit"])
        #expect(manifest.names.isSuperset(of: ["Kit", "KitTests", "NIOCore"]))
    }
}
