/// The reasons why the value of a constant is not known at a place.
extension SourceConstants {
    /// Returns why a constant in a range is not known: it is also another thing there, is changed, or is not visible there.
    func obstacle(in range: Range<Int>) -> SourceObstacle? {
        for index in range {
            for path in paths(at: index) { if let obstacle = obstacle(to: path, at: index) { return obstacle } }
        }
        return nil
    }

    private func obstacle(to path: [String], at index: Int) -> SourceObstacle? {
        guard let name = path.last, names.isQualified(path) else { return nil }
        let found = names.definitions(of: path, at: index)
        // A name that would not be known without the obstacle is not to blame.
        guard
            (found.isEmpty ? names.all(of: name) : found).prefix(SourceVisibility.maximumChoice).contains(
                where: isConstant)
        else { return nil }
        if names.isBound(path, at: index) {
            guard !found.isEmpty, let binding = names.binding(of: name, at: index) else { return nil }
            return SourceObstacle(
                reason: "'\(name)' is also \(binding.kind.rawValue) on line \(line(binding.place))",
                remedy: binding.kind.remedy)
        }
        guard let last = found.max(by: { $0.place < $1.place }) else {
            return SourceObstacle(
                reason: "'\(name)' is defined in another type or file", remedy: "write the text instead of its name")
        }
        for definition in found {
            if let change = names.changed(definition).first {
                return SourceObstacle(
                    reason: "'\(name)' is changed on line \(line(change.place))",
                    remedy: "make it a constant, or rename the one that changes")
            }
            if let place = names.override(of: definition, in: path) {
                return SourceObstacle(
                    reason: "'\(name)' is overridden on line \(line(place))",
                    remedy: "write the text instead of its name")
            }
        }
        guard found.count > 1, value(of: path, at: index, 0) == nil else { return nil }
        return SourceObstacle(
            reason: "'\(name)' has another value on line \(line(last.place))", remedy: "rename one of them")
    }

    /// Returns true if a definition is that of a constant: a text, or a list or dictionary.
    private func isConstant(_ definition: SourceNames.Definition) -> Bool {
        ["[", "{", "@"].contains { code.isSign(definition.value, $0) } || written(definition, 0) != nil
    }

    private func line(_ place: Int) -> Int { code.tokens[place].line }

    /// Returns the names that a token refers to, each after its qualifier.
    private func paths(at index: Int) -> [[String]] {
        guard code.tokens.indices.contains(index) else { return [] }
        switch code.tokens[index].kind {
        case .word(let word):
            guard code.isSign(index - 1, ".") else { return [[word]] }
            return code.word(index - 2).map { [[$0, word]] } ?? []
        case .text(let pieces):
            return pieces.compactMap { if case .value(let name) = $0 { Self.path(name) } else { nil } }
        default: return []
        }
    }
}

/// The reason why the value of a name is not known, though the file defines it.
struct SourceObstacle {
    let reason: String
    let remedy: String
}
