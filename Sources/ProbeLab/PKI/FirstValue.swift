import Synchronization

/// Values made on first use and kept; if two callers race, both get the kept one.
final class FirstValue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    /// Returns the value of `key`. `make` runs outside the lock, so it may ask for other values.
    func value(of key: Key, make: () throws -> Value) rethrows -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = try make()
        return values.withLock { values in
            if let known = values[key] { return known }
            values[key] = made
            return made
        }
    }
}
