import GRDB

/// Why the store could not be used.
struct StoreError: Error, Sendable {}
