import ProbeKit

@testable import ProbeLab
@testable import ProbeTrust

/// An OCSP response whose parts can be changed, and signed again: the outer response, and the BasicOCSPResponse in it, of
/// data, algorithm, signature and [0] certificates.
struct EditableResponse {
    var outer: EditableDER
    var basic: EditableDER

    init(_ der: [UInt8]) {
        outer = EditableDER(der)
        basic = EditableDER(outer[1, 0, 1].bytes)
    }

    var encoded: [UInt8] {
        var whole = outer
        if whole.children.count > 1 { whole[1, 0, 1].bytes = basic.encoded }
        return whole.encoded
    }

    var staple: TrustQuestion.Staple { .present(encoded) }

    /// The data: [2] responder, time, entries and what may follow.
    var data: EditableDER {
        get { basic[0] }
        set { basic[0] = newValue }
    }

    /// The first entry: identifier, status, time and [0] next time.
    var entry: EditableDER {
        get { basic[0, 2, 0] }
        set { basic[0, 2, 0] = newValue }
    }

    mutating func sign(with key: LabKey, _ scheme: LabSignature? = nil) throws {
        basic[2].bytes = [0] + (try key.sign(data.encoded, scheme ?? key.defaultSignature))
    }
}
