import ProbeKit

/// The place in a path of a certificate that ends soon, or has ended: it decides who can replace it.
enum ExpiryPlace {
    case leaf
    case authority
    case anchor

    /// The fix for one that ends soon.
    var renewal: Fix {
        switch self {
        case .leaf: "renew it, and \(.checkBeforeDeployment)"
        case .authority: "renew below a CA certificate that lasts longer, and send that one"
        case .anchor: "move to a root that lasts longer, and make sure that clients trust it"
        }
    }

    /// The words of the fix for one that has ended; nil for the leaf, whose renewal is a step of its own.
    var replacementWords: String? {
        switch self {
        case .leaf: nil
        case .authority: "send a current certificate of that CA, or have the leaf issued below another"
        case .anchor: "move to a root that is valid, and make sure that clients trust it"
        }
    }

    /// The fix for one that has ended.
    var replacement: Fix {
        guard let replacementWords else { return "\(.renewCertificate)" }
        return Fix(replacementWords)
    }
}
