/// Runs the same work on several elements at once.
public enum Concurrently: Sendable {
    /// The results in the order of the elements.
    public static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ transform: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask { (index, await transform(element)) }
            }
            var values: [(Int, Value)] = []
            for await value in group { values.append(value) }
            return values.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
