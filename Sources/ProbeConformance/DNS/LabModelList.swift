/// Model lists of a given size, for servers of every kind.
public enum LabModelList: Sendable {
    /// Strings that together have at most `bytes` bytes and end with a comma each, so that all readings agree. The items
    /// are `model00001` and so on.
    public static func strings(bytes: Int) -> [String] {
        let items = (0..<bytes / 11).map { number in
            let digits = String(number + 1)
            return "model" + String(repeating: "0", count: 5 - digits.count) + digits + ","
        }
        return stride(from: 0, to: items.count, by: 23).map { items[$0..<min($0 + 23, items.count)].joined() }
    }
}
