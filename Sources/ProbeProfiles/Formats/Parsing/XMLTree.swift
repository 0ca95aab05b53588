import Foundation
import FoundationXML
import ProbeKit

/// Reads XML into a tree. Entities are not declared in any of our formats, so a declaration is refused before the parser
/// sees it, and depth is bounded: hostile text costs no more than its length.
final class XMLTree: NSObject, XMLParserDelegate {
    private static let maximumDepth = 64
    /// The codes that libxml2 reports of well-formed XML: warnings (`XML_WAR_…`) and faults of namespaces (`XML_NS_ERR_…`).
    private static let harmless: Set = [97, 98, 99, 100, 102, 106, 107, 200, 201, 202, 203, 204, 205]

    private var open: [XMLTag] = []
    private var root: XMLTag?
    private var isTooDeep = false
    /// The line of the first fault.
    private var faultLine: Int?

    /// Returns the root element of a document.
    ///
    /// - Throws: ``InputError`` if it is not XML in UTF-8, declares entities or nests too deeply.
    static func read(_ input: FormatInput) throws(InputError) -> XMLTag {
        let text = try input.requiredText()
        guard !XMLMarkup.declaresEntities(text) else {
            throw input.refuse("declares XML entities", remedy: "take the declarations out: no client needs them")
        }
        // Foundation's parser on Linux crashes at one. In a comment it would not, but libxml2 goes on after faults, and then
        // takes other text for comments.
        guard !text.contains(#/<\?[^\s?]+\?>/#) else {
            throw input.refuse(
                "has a processing instruction without content", remedy: "take it out: no client needs it")
        }
        if let encoding = text.firstMatch(of: #/^\s*<\?xml[^>]*encoding\s*=\s*["']([^"']+)/#)?.1,
            !["utf-8", "us-ascii"].contains(encoding.lowercased())
        {
            throw input.refuse("is declared as \(encoding)", remedy: "save it as UTF-8")
        }
        let tree = XMLTree()
        let parser = XMLParser(data: Data(text.utf8))
        parser.shouldResolveExternalEntities = false
        parser.delegate = tree
        let isRead = parser.parse()
        guard !tree.isTooDeep else {
            throw input.refuse(
                "nests its elements more than \(maximumDepth) deep", line: parser.lineNumber, remedy: "flatten it")
        }
        guard isRead, tree.faultLine == nil, let root = tree.root else {
            throw input.refuse(
                "is broken XML", line: max(1, tree.faultLine ?? parser.lineNumber), remedy: "fix it there")
        }
        return root
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard open.count < Self.maximumDepth else {
            isTooDeep = true
            parser.abortParsing()
            return
        }
        open.append(XMLTag(name: name, attributes: attributes, line: parser.lineNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let ended = open.popLast() else { return }
        if open.isEmpty { root = ended } else { open[open.count - 1].children.append(ended) }
    }

    /// Content after the root is reported here alone: the parser returns true for it.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard faultLine == nil, !Self.harmless.contains((error as NSError).code) else { return }
        faultLine = parser.lineNumber
        parser.abortParsing()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !open.isEmpty { open[open.count - 1].text += text }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
    }
}

/// An element of an XML document, with everything below it.
struct XMLTag {
    let name: String
    let attributes: [String: String]
    let line: Int
    var children: [XMLTag] = []
    /// The text directly in it, pieces joined.
    var text = ""

    func children(named name: String) -> [XMLTag] { children.filter { $0.name == name } }

    /// The same element, its name and those of all below it without their prefixes; attributes keep theirs.
    var withLocalNames: XMLTag {
        XMLTag(
            name: name.split(separator: ":").last.map(String.init) ?? name, attributes: attributes, line: line,
            children: children.map(\.withLocalNames), text: text)
    }
}
