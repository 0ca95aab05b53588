import Foundation

/// `Package.swift`, as far as a test reads it: the targets whose sources are in `Tests`, and the modules that they list.
struct PackageManifest {
    /// One target and its list.
    struct Listed: Sendable, CustomStringConvertible {
        let name: String
        /// The folder of its sources, below the package's.
        let folder: String
        /// The modules and programs that it depends on, products by the names of their modules.
        let dependencies: Set<String>

        var description: String { name }
    }

    let targets: [Listed]
    /// The names of all targets and products, those that `opened` makes of a C library among them.
    let names: Set<String>
    /// The targets that are programs: a test that runs one depends on it and does not import it.
    let programs: Set<String>

    init(_ source: String) {
        let text = source.replacing(#/(?m)^ *\/\/.*$/#, with: "")
        let variables = text.matches(of: #/let (\w+): Target\.Dependency = \.product\(\s*name: "(\w+)"/#)
        let products = Dictionary(variables.map { (String($0.1), String($0.2)) }) { first, _ in first }
        names = Set(text.matches(of: #/(?:\bname: |\bopened\()"([\w\-]+)"/#).map { String($0.1) })
        programs = Set(text.matches(of: #/\.executableTarget\(\s*name: "([\w\-]+)"/#).map { String($0.1) })
        let target =
            #/\.(testTarget|target|executableTarget)\(\s*name: "([\w\-]+)",\s*dependencies: \[([^\[\]]*)\](?:,\s*path: "([^"]+)")?\s*\)/#
        targets = text.matches(of: target).compactMap { match in
            let name = String(match.2)
            let usual = match.1 == "testTarget" ? "Tests" : "Sources"
            let folder = match.4.map { String($0) } ?? "\(usual)/\(name)"
            guard folder.hasPrefix("Tests/") else { return nil }
            let own = match.3.matches(of: #/"([\w\-]+)"/#).map { String($0.1) }
            let words = match.3.replacing(#/"[^"]*"/#, with: "").matches(of: #/\w+/#)
            return Listed(
                name: name, folder: folder, dependencies: Set(own + words.compactMap { products[String($0.output)] }))
        }
    }

    /// That of the checkout.
    static func current() throws -> PackageManifest {
        PackageManifest(try text())
    }

    /// The text of the checkout's.
    static func text() throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
    }
}
