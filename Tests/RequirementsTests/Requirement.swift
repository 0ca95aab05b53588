/// One behaviour of the five security documents the project starts from, in a few words.
struct Requirement {
    /// The document it is from.
    enum Source: String {
        case lutheranRadio = "Lutheran Radio"
        case avFoundation = "AVFoundation pinning"
        case timor = "Timor"
        case minvws = "minvws HTTPSecurity"
        case ecall = "ecall"
    }

    /// The requirement's applicability to a prober on Linux.
    enum Applicability: String {
        case directly
        case byAnalogy = "by analogy"
        case not
    }

    let number: Int
    let source: Source
    let applicability: Applicability
    /// The observable behaviour; if it does not apply, the reason.
    let text: String

    static let all = lutheranRadio + avFoundation + timor + minvws + ecall + shared

    static func row(
        _ number: Int, _ source: Source, _ text: String, _ applicability: Applicability = .directly
    ) -> Requirement {
        Requirement(number: number, source: source, applicability: applicability, text: text)
    }
}
