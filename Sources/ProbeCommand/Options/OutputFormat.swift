/// The forms results are printed in.
enum OutputFormat: String, CaseIterable {
    case text
    case json
    case junit
    case sarif
}
