/// The languages whose source is read. They differ in comments and in the texts between quotation marks.
enum SourceLanguage {
    case kotlin
    case java
    /// Kotlin or Java: a construct that only one of them allows is rejected if it changes the meaning.
    case kotlinOrJava
    case swift
    case objectiveC

    /// True if comments nest; nil if that is not known.
    var nestsComments: Bool? {
        switch self {
        case .kotlin, .swift: true
        case .java, .objectiveC: false
        case .kotlinOrJava: nil
        }
    }

    /// True if `$name` in a text is replaced by a value.
    var hasDollarTemplates: Bool { self == .kotlin || self == .kotlinOrJava }

    /// True if characters are written between apostrophes.
    var hasCharacters: Bool { self != .swift }

    /// Creates the language of a file, by its extension.
    init?(path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "kt", "kts": self = .kotlin
        case "java": self = .java
        case "swift": self = .swift
        case "m", "mm", "h": self = .objectiveC
        default: return nil
        }
    }
}
