/// Numbers below zero, which the argument parser takes for options.
enum NegativeNumbers {
    /// Returns arguments in which each such number is one word with the option before it, so that its reader can refuse it.
    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            if isNumber(argument), let option = joined.last, option.hasPrefix("--"), option.utf8.count > 2,
                !option.contains("="), !joined.contains("--")
            {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    private static func isNumber(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument.dropFirst().first?.isWholeNumber == true
    }
}
