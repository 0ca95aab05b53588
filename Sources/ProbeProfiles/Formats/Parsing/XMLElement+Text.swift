import FoundationXML

extension XMLElement {
    /// The text of a document with this element as its root, indented, in UTF-8.
    ///
    /// There is no `XMLDocument`: Foundation on Linux frees one before the nodes in it, and each node looks into its document
    /// when it is freed.
    var documentText: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xmlString(options: .nodePrettyPrint) + "\n"
    }
}
