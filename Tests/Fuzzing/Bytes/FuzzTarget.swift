/// A function for hostile bytes, with the properties that hold for all of them.
///
/// libFuzzer runs it in the package `Fuzz`, and `FuzzCorpusTests` runs it on every kept input.
public struct FuzzTarget: Sendable {
    /// The function: it throws ``FuzzFinding`` for a property that does not hold, and traps as it likes.
    public enum Body: Sendable {
        case immediate(@Sendable ([UInt8]) throws -> Void)
        case waiting(@Sendable ([UInt8]) async throws -> Void)
    }

    /// Its name in kebab case, also that of its corpus and its dictionary.
    public let name: String
    /// The longest input that libFuzzer makes.
    public let maximumBytes: Int
    /// The function.
    public let body: Body

    /// Creates a target of a function that does not wait.
    public init(_ name: String, upTo maximumBytes: Int = 4096, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
        (self.name, self.maximumBytes, self.body) = (name, maximumBytes, .immediate(body))
    }

    /// Creates a target of a function that waits.
    public init(
        waiting name: String, upTo maximumBytes: Int = 4096, _ body: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        (self.name, self.maximumBytes, self.body) = (name, maximumBytes, .waiting(body))
    }

    /// Runs the function once.
    public func run(_ bytes: [UInt8]) async throws {
        switch body {
        case .immediate(let run): try run(bytes)
        case .waiting(let run): try await run(bytes)
        }
    }
}

/// A property that does not hold for an input.
public struct FuzzFinding: Error, CustomStringConvertible {
    /// The property that does not hold.
    public let description: String

    /// Creates a finding.
    public init(_ description: String) { self.description = description }
}

/// Throws a finding unless a property holds.
public func hold(_ property: Bool, _ message: @autoclosure () -> String) throws(FuzzFinding) {
    guard property else { throw FuzzFinding(message()) }
}
