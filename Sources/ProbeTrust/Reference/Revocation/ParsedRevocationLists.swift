import ProbeKit

/// The revocation lists that came with a question, read once.
struct ParsedRevocationLists: Sendable {
    /// The maximum number of lists used together.
    static let maximumCount = 64

    /// The reasons why lists can't be used for any certificate: they can't be read, or are of a kind that is not
    /// supported.
    let problems: [TrustReading.Problem]
    private let byIssuer: [ComparableName: [RevocationList]]
    /// True if there are no lists.
    let isEmpty: Bool

    init(_ lists: [[UInt8]]) {
        isEmpty = lists.isEmpty
        guard lists.count <= Self.maximumCount else {
            problems = [.init(.tooComplex, "\(lists.count) revocation lists were given, more than are read")]
            byIssuer = [:]
            return
        }
        var readable: [RevocationList] = []
        var problems: [TrustReading.Problem] = []
        for (index, der) in lists.enumerated() {
            do {
                let list = try RevocationList(der)
                if let kind = list.unsupportedKind {
                    problems.append(
                        .init(
                            .other, "revocation list \(index) is \(kind), which is not supported",
                            fix: "give the issuer's complete list"))
                } else {
                    readable.append(list)
                }
            } catch {
                problems.append(
                    .init(
                        .malformed, "revocation list \(index) is malformed: \(error)",
                        fix: "give the list as its issuer publishes it"))
            }
        }
        self.problems = problems
        byIssuer = Dictionary(grouping: readable, by: \.issuer)
    }

    /// Returns the lists that an issuer's name is on.
    func lists(of issuer: ComparableName) -> [RevocationList] { byIssuer[issuer] ?? [] }
}
