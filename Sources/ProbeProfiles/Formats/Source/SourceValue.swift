/// The value of an expression that consists of constants.
struct SourceValue: Equatable {
    enum Content: Equatable {
        case text(String)
        case list([SourceValue])
    }

    let content: Content
    /// The tokens of the texts that it was made of.
    var origins: Set<Int>

    static func == (left: SourceValue, right: SourceValue) -> Bool { left.content == right.content }

    var text: String? { if case .text(let text) = content { text } else { nil } }

    /// The texts, of a list all that are in it; nil if it holds another list.
    var texts: [String]? {
        switch content {
        case .text(let text): return [text]
        case .list(let values):
            let texts = values.compactMap(\.text)
            return texts.count == values.count ? texts : nil
        }
    }
}
