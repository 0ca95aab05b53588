/// Runs the same work on several elements concurrently.
package enum Concurrently: Sendable {
    /// Returns the results in the order of the elements.
    ///
    /// - Parameter width: on how many elements at most.
    package static func map<Element: Sendable, Value: Sendable>(
        _ elements: [Element], atMost width: Int = .max, _ transform: @escaping @Sendable (Element) async -> Value
    ) async -> [Value] {
        // One needs no task beside the caller's.
        if elements.count == 1 { return [await transform(elements[0])] }
        return await withTaskGroup(of: (Int, Value).self) { group in
            var values: [(Int, Value)] = []
            for (index, element) in elements.enumerated() {
                if index >= width, let value = await group.next() { values.append(value) }
                group.addTask { (index, await transform(element)) }
            }
            for await value in group { values.append(value) }
            return values.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
