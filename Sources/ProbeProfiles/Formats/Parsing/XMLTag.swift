/// An element of an XML document, with everything below it.
struct XMLTag {
    let name: String
    let attributes: [String: String]
    let line: Int
    var children: [XMLTag] = []
    /// The text directly in it, pieces joined.
    var text = ""

    func children(named name: String) -> [XMLTag] { children.filter { $0.name == name } }
}
