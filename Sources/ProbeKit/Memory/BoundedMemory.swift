import Synchronization

/// A bounded memory of values that are slower to make than to keep, by their inputs.
///
/// It forgets everything once it is full: values still in use are soon made again.
package final class BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let known = Mutex<[Key: Value]>([:])
    private let limit: Int

    /// Creates an empty memory.
    ///
    /// - Parameter limit: the most values it keeps.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The value of a key, if it is remembered; one that is set is kept from now on.
    package subscript(key: Key) -> Value? {
        get { known.withLock { $0[key] } }
        set {
            known.withLock {
                if $0.count >= limit { $0.removeAll() }
                $0[key] = newValue
            }
        }
    }

    /// Returns the value of a key, made unless it is remembered.
    ///
    /// No lock is held while it is made, which may take milliseconds; that two make it at the same time does no harm.
    package func value<Failure: Error>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let value = self[key] { return value }
        let value = try make()
        self[key] = value
        return value
    }
}
