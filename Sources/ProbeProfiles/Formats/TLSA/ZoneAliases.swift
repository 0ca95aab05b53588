/// The CNAME records of a zone file.
struct ZoneAliases {
    /// One record.
    struct Alias {
        let owner: String
        /// The name that it leads to.
        let name: String
        let line: Int
    }

    /// In the order of the file; of several of one owner the first.
    private(set) var all: [Alias] = []
    private var names: [String: String] = [:]

    /// As many as resolvers follow; a file may have a loop.
    private static let mostSteps = 16

    mutating func add(_ owner: String, name: String, line: Int) {
        guard names[owner] == nil else { return }
        names[owner] = name
        all.append(Alias(owner: owner, name: name, line: line))
    }

    /// Returns the first name on the way of an alias for which a closure returns true; nil if the way ends before.
    func end(of alias: Alias, where isEnd: (String) -> Bool) -> String? {
        var name = alias.name
        for _ in 0..<Self.mostSteps {
            if isEnd(name) { return name }
            guard let next = names[name] else { return nil }
            name = next
        }
        return nil
    }
}
