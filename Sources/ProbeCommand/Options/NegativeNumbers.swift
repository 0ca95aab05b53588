/// Numbers below zero, which the argument parser takes for options.
enum NegativeNumbers {
    /// Returns arguments in which each such number is one word with the option before it, so that its reader can refuse it.
    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        for argument in arguments {
            if let option = joined.last, joins(argument, to: option), !joined.contains("--") {
                joined[joined.count - 1] = "\(option)=\(argument)"
            } else {
                joined.append(argument)
            }
        }
        return joined
    }

    /// Returns true for a number below zero behind an option.
    static func joins(_ argument: String, to option: String) -> Bool {
        isNumber(argument) && option.hasPrefix("--") && option.utf8.count > 2 && !option.contains("=")
    }

    private static func isNumber(_ argument: String) -> Bool {
        argument.hasPrefix("-") && argument.dropFirst().first?.isWholeNumber == true
    }
}
