public import Testing

/// Waits until a condition holds, which takes long on a busy machine only; it is an issue if it does not come to hold.
///
/// The first look that finds it ends the wait: another one could find that it holds no more.
public func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(1500)
    while .now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("what was waited for did not come", sourceLocation: sourceLocation)
}
