import Foundation
import FoundationXML
import Testing

/// An element of a document, as a parser of others reads it.
///
/// There is no `XMLDocument`: Foundation on Linux frees one before the nodes in it.
final class ReadXML: NSObject, XMLParserDelegate {
    let name: String
    let attributes: [String: String]
    private(set) var children: [ReadXML] = []
    private(set) var text = ""
    private var open: [ReadXML] = []

    private init(_ name: String, _ attributes: [String: String] = [:]) {
        self.name = name
        self.attributes = attributes
    }

    /// Returns the root of a document.
    static func root(of xml: String) throws -> ReadXML {
        let document = ReadXML("")
        document.open = [document]
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = document
        try #require(parser.parse(), "\(String(describing: parser.parserError)): \(xml)")
        return try #require(document.children.first)
    }

    /// The children of a name.
    func elements(_ name: String) -> [ReadXML] { children.filter { $0.name == name } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let element = ReadXML(name, attributes)
        open.last?.children.append(element)
        open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }
}
