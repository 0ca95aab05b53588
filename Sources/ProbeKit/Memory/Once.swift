import Synchronization

/// A value that is made at most once, by whoever needs it first; everyone who holds it shares the value. A failed attempt to
/// make it is repeated.
package final class Once<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    /// Creates a holder whose value is not made yet.
    package init() {}

    /// Returns the value, made by this call or an earlier one. A second caller waits for the first, so `make` must be
    /// bounded and must not ask for the same value.
    package func value<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        try made.withLock { value throws(Failure) in
            if let value { return value }
            let new = try make()
            value = new
            return new
        }
    }
}
