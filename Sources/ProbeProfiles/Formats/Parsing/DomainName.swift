/// Names as rules have them.
enum DomainName {
    /// Returns the domains that a name is below, the nearest first.
    static func parents(of name: String) -> [String] {
        var parents: [String] = []
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            parents.append(String(rest))
        }
        return parents
    }
}
