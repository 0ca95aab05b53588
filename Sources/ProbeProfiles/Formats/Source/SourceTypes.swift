/// The types of a file: the blocks of their members, and the types that they inherit from.
struct SourceTypes {
    /// A supertype as a type names it, with the token of that type.
    private struct Supertype {
        let path: [String]
        let place: Int
    }

    private let code: SourceCode
    /// For the brace around a type's members, the names of the types around it, and its own.
    private var paths: [Int: [String]] = [:]
    /// The braces of Kotlin's companions, whose members are those of the type around them too.
    private(set) var companions: Set<Int> = []
    private var supertypes: [[String]: [Supertype]] = [:]
    /// The paths of all types.
    private var known: Set<[String]> = []
    /// The names of all types, by which a constant may be called.
    private(set) var names: Set<String> = []
    /// The types whose members are visible in other bodies of the file: in those of their subtypes and extensions.
    private(set) var inherited: Set<String> = []
    /// Lineages found so far: a type may be around each line.
    private let found = Found()

    private final class Found { var lineages: [[String]: [[String]]] = [:] }

    init(_ code: SourceCode, bodyEnd: (Int) -> Int) {
        self.code = code
        for index in code.tokens.indices {
            findBody(index, bodyEnd)
            guard code.language.hasDollarTemplates, ["fun", "val", "var"].contains(code.word(index)) else { continue }
            // An extension sees the members of its type.
            inherited.formUnion(code.receiver(ofDeclaration: index).types)
        }
    }

    /// Returns the words before the name of a type. Other languages use some of them as names.
    static func words(of language: SourceLanguage) -> Set<String> {
        switch language {
        case .kotlin: ["class", "interface", "object"]
        case .java: ["class", "enum", "interface", "record"]
        case .kotlinOrJava: ["class", "enum", "interface", "object", "record"]
        case .swift: ["actor", "class", "enum", "extension", "struct"]
        case .objectiveC: ["class", "enum", "interface", "struct"]
        }
    }

    // MARK: Blocks

    /// Returns true if a brace is around the members of a type.
    func isBody(_ brace: Int) -> Bool { paths[brace] != nil }

    /// Returns the path of the type that a token is directly in; nil for a token in another block or bracket.
    func body(of index: Int) -> [String]? { code.enclosing(index).flatMap { paths[$0] } }

    /// Returns the name of the type whose members a brace is around; nil for another brace.
    func name(of brace: Int) -> String? { paths[brace]?.last }

    /// Returns the names of the types around a token, the innermost first.
    func names(around index: Int) -> [String] {
        var (inner, names) = (index, [String]())
        while let brace = code.brace(around: inner) {
            if let name = name(of: brace) { names.append(name) }
            inner = brace
        }
        return names
    }

    /// Returns the path of a block: that of the type whose members it has, one of its own for another block, and an empty
    /// one for the file.
    func path(of brace: Int?) -> [String] {
        guard let brace else { return [] }
        return paths[brace] ?? ["{\(brace)"]
    }

    /// Returns the paths of the blocks around a token, the innermost first and that of the file last.
    func blocks(around index: Int) -> [[String]] {
        var (inner, blocks) = (index, [[String]]())
        while let brace = code.brace(around: inner) {
            blocks.append(path(of: brace))
            inner = brace
        }
        return blocks + [[]]
    }

    /// Returns true if a path is that of a block that is not a type's.
    static func isLocal(_ path: [String]) -> Bool { path.count == 1 && path[0].hasPrefix("{") }

    // MARK: Names

    /// Returns the path of the type that a name, perhaps after others, means at a token; nil if none of that name is
    /// visible there.
    func resolve(_ name: [String], at index: Int) -> [String]? {
        blocks(around: index).lazy.map { $0 + name }.first { known.contains($0) }
    }

    /// Returns a path, and those of the types of the file that it inherits from, the nearest first.
    func lineage(of path: [String]) -> [[String]] {
        if let lineage = found.lineages[path] { return lineage }
        var (lineage, next) = ([path], 0)
        // Types of people's code have fewer.
        while next < lineage.count, lineage.count < 16 {
            for supertype in supertypes[lineage[next], default: []].prefix(16) {
                guard let path = resolve(supertype.path, at: supertype.place), !lineage.contains(path) else { continue }
                lineage.append(path)
            }
            next += 1
        }
        found.lineages[path] = lineage
        return lineage
    }

    // MARK: Declarations

    /// Notes the body of the type that is declared here, and the types that it inherits from.
    private mutating func findBody(_ index: Int, _ bodyEnd: (Int) -> Int) {
        guard let word = code.word(index), Self.words(of: code.language).contains(word),
            // `Type.class` and `Type::class` are values.
            !code.isSign(index - 1, "."), !code.isSign(index - 1, ":") || !code.isSign(index - 2, ":")
        else { return }
        let isCompanion = word == "object" && code.word(index - 1) == "companion"
        var (name, start) = (["Companion"], index + 1)
        if let own = code.word(index + 1), !isCompanion || !code.isOnNewLine(index + 1) {
            // Swift's `class func`, Kotlin's `enum class`, and `actor` as a name.
            guard !["class", "func", "in", "let", "override", "subscript", "var"].contains(own) else { return }
            (name, start) = ([own], index + 2)
            // Types are not nested deeper in code that people write.
            while word == "extension", name.count < 16, code.isSign(start, "."), let inner = code.word(start + 1) {
                (name, start) = (name + [inner], start + 2)
            }
        } else if !isCompanion {
            return
        }
        names.formUnion(name)
        if word == "extension", let last = name.last { inherited.insert(last) }
        // Objective-C has methods outside of all braces.
        guard code.language != .objectiveC else { return }
        let path = self.path(of: code.brace(around: index)) + name
        known.insert(path)
        let end = bodyEnd(start)
        let hasBody = code.isSign(end - 1, "}") && code.partner(end - 1) > index
        let brace = hasBody ? code.partner(end - 1) : end
        guard isHeader(start..<brace, of: path, at: index), hasBody else { return }
        paths[brace] = path
        if isCompanion { companions.insert(brace) }
    }

    /// Notes the types in the header of a type, after a colon or `extends` and the like.
    ///
    /// - Returns: false if the header ends before, with its line, as that of a type of Kotlin without a body.
    private mutating func isHeader(_ header: Range<Int>, of path: [String], at index: Int) -> Bool {
        var part = header.lowerBound
        // Longer headers are not of code that people write.
        while part < min(header.upperBound, index + 256), !["where", "permits"].contains(code.word(part)) {
            guard code.word(part) != nil, isBeforeSupertype(part - 1) else {
                guard !code.language.hasDollarTemplates || !code.isOnNewLine(part) || isOfHeader(part) else {
                    return false
                }
                part = code.isSign(part, "<") ? code.afterTypes(at: part) : code.skip(part)
                continue
            }
            var name: [String] = []
            while let word = code.word(part) {
                name.append(word)
                part += 1
                guard code.isSign(part, ".") else { break }
                part += 1
            }
            inherited.formUnion(name)
            supertypes[path, default: []].append(Supertype(path: name, place: index))
        }
        return true
    }

    /// Returns true for a token that may begin a line of a header.
    private func isOfHeader(_ index: Int) -> Bool {
        if let word = code.word(index) {
            return [
                "constructor", "extends", "implements", "internal", "permits", "private", "protected", "public",
                "where",
            ].contains(word)
        }
        return [":", ",", "<", "@"].contains { code.isSign(index, $0) }
    }

    private func isBeforeSupertype(_ index: Int) -> Bool {
        code.isSign(index, ":") || code.isSign(index, ",") || ["extends", "implements"].contains(code.word(index))
    }
}
