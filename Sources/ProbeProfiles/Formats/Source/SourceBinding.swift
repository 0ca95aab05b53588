/// A name that a file binds to a value that isn't in it, by its token.
struct SourceBinding {
    enum Kind: String {
        case parameter = "a parameter"
        case loop = "a loop variable"
        case pattern = "a part of a pattern"
        case variable = "a variable without a first value"

        /// The change that lets the value be read. A property of an interface can't have one, so that its variable has a
        /// second way.
        var remedy: String {
            switch self {
            case .parameter, .loop, .pattern: "rename one of them"
            case .variable: "give it its value where it is declared, or write the text instead of its name"
            }
        }
    }

    let kind: Kind
    let place: Int
    /// The tokens among which it is visible.
    var scope: Range<Int>
}

extension [SourceBinding] {
    /// The bindings of one name in order, where each ends before the next begins.
    var united: [SourceBinding] {
        var united: [SourceBinding] = []
        for binding in sorted(by: { $0.scope.lowerBound < $1.scope.lowerBound }) {
            if let last = united.last, binding.scope.lowerBound < last.scope.upperBound {
                let end = Swift.max(last.scope.upperBound, binding.scope.upperBound)
                united[united.count - 1].scope = last.scope.lowerBound..<end
            } else {
                united.append(binding)
            }
        }
        return united
    }

    /// Returns the united binding that is visible at a token. A name may be bound and used in each line, so that looking
    /// at all of them would take quadratic time.
    func visible(at index: Int) -> SourceBinding? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].scope.lowerBound <= index { low = middle + 1 } else { high = middle }
        }
        return low > 0 && self[low - 1].scope.contains(index) ? self[low - 1] : nil
    }
}
