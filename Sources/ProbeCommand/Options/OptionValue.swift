import ArgumentParser
import ProbeKit
import ProbePlatform
import Synchronization

/// A value that an option can have; its reader says why a text is not one.
protocol OptionValue: Sendable {
    /// Reads a value. The error's message continues the option's name: `'x' is unknown`.
    static func option(_ text: String) throws(InputError) -> Self

    /// The words that shells complete; none where the values can't be listed.
    static var completion: CompletionKind { get }
}

extension OptionValue {
    static var completion: CompletionKind { .default }
}

extension OptionValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Reads one of the words that there are.
    static func option(_ text: String) throws(InputError) -> Self {
        guard let value = Self(rawValue: text) else {
            throw InputError("'\(text)' is unknown", remedy: "choose \(Words.alternatives(allCases.map(\.rawValue)))")
        }
        return value
    }

    static var completion: CompletionKind { .words(of: Self.self) }
}

/// An option's value as it was read with the line, and its text.
///
/// The type itself takes any value: a requirement of its own would have Swift search all conformances of the program for
/// each option, at every start.
struct Given<Value: Sendable>: Sendable {
    let text: String
    let value: Value
}

extension Given: ExpressibleByArgument where Value: OptionValue {
    static var defaultCompletionKind: CompletionKind { Value.completion }

    init?(argument text: String) {
        guard let value = try? OptionFault.noting({ () throws(InputError) in try Value.option(text) }) else {
            return nil
        }
        (self.text, self.value) = (text, value)
    }
}

/// A reader of numbers within bounds, for options whose message names them.
enum OptionNumber {
    /// Returns a reader of fractions; the bounds are written as whole numbers where they are some.
    static func fraction(_ range: ClosedRange<Double>, _ unit: String) -> @Sendable (String) throws -> Double {
        { text in
            try OptionFault.noting { () throws(InputError) in
                guard let value = Double(decimal: text), range.contains(value) else {
                    throw refusal(text, Self.text(range.lowerBound), Self.text(range.upperBound), unit)
                }
                return value
            }
        }
    }

    /// Returns a reader of whole numbers.
    static func whole(_ range: ClosedRange<Int>, _ unit: String) -> @Sendable (String) throws -> Int {
        { text in
            try OptionFault.noting { () throws(InputError) in
                guard let value = Int(decimal: text), range.contains(value) else {
                    throw refusal(text, "\(range.lowerBound)", "\(range.upperBound)", unit)
                }
                return value
            }
        }
    }

    /// Reads a seed.
    @Sendable static func seed(_ text: String) throws -> UInt64 {
        try OptionFault.noting { () throws(InputError) in
            guard let value = UInt64(decimal: text) else { throw refusal(text, "0", "\(UInt64.max)", "") }
            return value
        }
    }

    private static func refusal(_ text: String, _ low: String, _ high: String, _ unit: String) -> InputError {
        let range = high == "\(Int.max)" ? "\(low) or more" : "\(low) to \(high)"
        return InputError("must be \(range)\(unit.isEmpty ? "" : " ")\(unit)", remedy: "\(text) was given")
    }

    private static func text(_ bound: Double) -> String { bound == bound.rounded() ? "\(Int(bound))" : "\(bound)" }
}

/// The reason why a value was refused, which the parser of arguments has no room for.
enum OptionFault {
    private final class Box: Sendable {
        let fault = Mutex<InputError?>(nil)
    }

    @TaskLocal private static var box = Box()

    /// Runs a command line whose refusals are told apart from those of another one.
    static func collecting<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await $box.withValue(Box(), operation: body)
    }

    static func noting<Value>(_ read: () throws(InputError) -> Value) throws(InputError) -> Value {
        do throws(InputError) {
            return try read()
        } catch {
            box.fault.withLock { $0 = error }
            throw error
        }
    }

    /// Returns the refusal that an error of the parser is about, naming the option; nil if it is about something else.
    static func refusal(of error: any Error) -> InputError? {
        guard let fault = box.fault.withLock({ $0 }),
            let option = PlainOutputOptions.message(for: error).matches(of: #/ is invalid for '(--[a-z][a-z.-]*)/#)
                .last?
                .1
        else { return nil }
        return InputError("\(option) \(fault.message)", remedy: fault.remedy, source: fault.source)
    }
}

/// Words in a row.
enum Words {
    /// Returns them as alternatives: `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
