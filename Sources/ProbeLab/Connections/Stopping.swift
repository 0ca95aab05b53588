/// Returns the result of `body`, or throws its error, after `stop` in either case.
func stopping<Value>(_ stop: () async -> Void, after body: () async throws -> Value) async throws -> Value {
    do {
        let value = try await body()
        await stop()
        return value
    } catch {
        await stop()
        throw error
    }
}
