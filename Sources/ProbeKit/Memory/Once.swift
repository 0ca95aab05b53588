import Synchronization

/// A value that is made at most once, by whoever needs it first; everyone who holds it shares the value.
package final class Once<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    /// Creates a holder whose value is not made yet.
    package init() {}

    /// Returns the value, made by this call or an earlier one. A second caller waits for the first, so `make` must be
    /// bounded and must not ask for the same value.
    package func value(_ make: () -> Value) -> Value {
        made.withLock { value in
            if let value { return value }
            let new = make()
            value = new
            return new
        }
    }
}
