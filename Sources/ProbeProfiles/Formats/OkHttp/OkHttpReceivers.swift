/// The expressions of a file that are a builder of OkHttp's pins.
struct OkHttpReceivers {
    enum Receiver {
        case pinner
        /// Another builder, like that of a form, whose methods return itself.
        case builder
        /// Something else that has an `add` too, like a list.
        case other
        case unknown

        /// True if an `add` on it has nothing to do with pins.
        var isOther: Bool { self == .builder || self == .other }
    }

    let code: SourceCode
    private var variables: [String: Receiver] = [:]
    /// True if `Builder` without a qualifier is the pins' builder.
    private let importsBuilder: Bool
    /// Chains of calls that were followed, by the token of the last name: a long chain is followed only once.
    private let followed = Followed()

    private final class Followed {
        var links: [Int: Link] = [:]
    }

    /// A chain of names and calls up to one of its names.
    private struct Link {
        var kind: Receiver
        /// The name that it starts with.
        let root: String
        /// True if it is the class itself, perhaps qualified by its package.
        var isPinnerClass = false
    }

    init(_ code: SourceCode) {
        self.code = code
        importsBuilder = code.tokens.indices.contains {
            code.word($0) == "import" && code.word($0 + 1) == "okhttp3" && code.word($0 + 3) == "CertificatePinner"
                && code.word($0 + 5) == "Builder"
        }
        for index in code.tokens.indices {
            guard let name = code.word(index), let kind = declaration(at: index) else { continue }
            let known = variables[name]
            variables[name] = known == nil || known == kind ? kind : .unknown
        }
        // A chain followed before all variables were known may be resolved better now.
        followed.links = [:]
    }

    /// The names of the variables that hold a builder.
    var builders: Set<String> { Set(variables.filter { $0.value == .pinner }.keys) }

    /// Returns the receiver of a method call, for the token of the method's name.
    func receiver(of index: Int) -> Receiver {
        guard code.isSign(index - 1, ".") else { return scope(of: index) }
        return expression(endingAt: beforeDot(index - 1)).kind
    }

    /// Returns the variable that a method is called on in the end.
    func root(of index: Int) -> String? {
        code.isSign(index - 1, ".") ? expression(endingAt: beforeDot(index - 1)).root : nil
    }

    /// Returns the index before `.`, `?.` or `!!.`.
    private func beforeDot(_ dot: Int) -> Int {
        var index = dot - 1
        while code.isSign(index, "?") || code.isSign(index, "!") { index -= 1 }
        return index
    }

    /// Goes back over calls and names to the start of an expression, or to its known part.
    func expression(endingAt end: Int) -> (kind: Receiver, root: String?) {
        var index = end
        var names: [Int] = []
        var link: Link?
        while link == nil {
            if code.isSign(index, "}") { index = code.partner(index) - 1 }
            if code.isSign(index, ")") {
                let open = code.partner(index)
                if code.word(open - 1) == "with", !code.isSign(open - 2, "."), names.isEmpty {
                    return expression(endingAt: code.partner(open) - 1)
                }
                index = open - 1
            }
            guard let name = code.word(index) else { return (.unknown, nil) }
            if let known = followed.links[index] {
                link = known
            } else if code.isSign(index - 1, ".") {
                names.append(index)
                index = beforeDot(index - 1)
            } else {
                link = Link(kind: kind(ofRoot: name, at: index), root: name, isPinnerClass: name == "CertificatePinner")
                followed.links[index] = link
            }
        }
        for name in names.reversed() {
            link = link.map { self.link($0, to: code.word(name) ?? "") }
            followed.links[name] = link
        }
        return (link?.kind ?? .unknown, link?.root)
    }

    /// Returns the link to a member of another link.
    private func link(_ link: Link, to name: String) -> Link {
        let isOfPinnerClass = link.isPinnerClass
        var link = link
        link.isPinnerClass = name == "CertificatePinner"
        if name == "CertificatePinner" || name == "build" {
            link.kind = .other
        } else if name == "Builder" {
            link.kind = isOfPinnerClass ? .pinner : .builder
        } else if link.kind != .builder, !Self.ofItself.contains(name) {
            // The kind of a member of something is unknown.
            link.kind = .unknown
        }
        return link
    }

    /// The members that return the same object, and a pinner's list of pins.
    private static let ofItself: Set = ["add", "apply", "also", "pins"]

    /// Returns the receiver that a name refers to, for its token.
    func kind(at index: Int) -> Receiver { code.word(index).map { kind(ofRoot: $0, at: index) } ?? .unknown }

    private func kind(ofRoot root: String, at index: Int) -> Receiver {
        switch root {
        case "CertificatePinner": .other
        case "Builder": importsBuilder ? .pinner : .unknown
        case "this": scope(of: index)
        case "it": argument(of: index)
        default: variables[root] ?? (Self.collections.contains(root) ? .other : .unknown)
        }
    }

    private static let collections: Set = [
        "mutableListOf", "mutableSetOf", "arrayListOf", "ArrayList", "HashSet", "LinkedHashSet", "hashSetOf", "listOf",
        "setOf",
    ]
}
