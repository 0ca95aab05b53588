import ProbeKit
import ProbePlatform
import Testing
import Yams

/// One moment in the life of an example: its servers' certificates and answers, and the expected result.
struct LifeStep: Decodable, CustomTestStringConvertible {
    /// The example's folder.
    var example = ""
    /// The event, in a few words.
    let what: String
    /// The time, as RFC 3339.
    let at: String
    /// The profile's file, if it is not `profile.yaml`.
    let profile: String?
    /// The chain of each server, by service or by the first label of an alternate: a file in `servers`, or `down`.
    let servers: [String: String]
    /// The number of seconds by which the servers' clocks are ahead; `none` sends no date.
    let skew: String?
    /// The allow-list: its text, `absent` or `broken`.
    let models: String?
    /// The fetched content and its signature: files in `signed`.
    let content: Content?
    /// The outcome of each service, of `models` and of `content`.
    let expect: [String: String]

    struct Content: Decodable {
        let file: String
        let signature: String
    }

    private enum CodingKeys: String, CodingKey {
        case what, at, profile, servers, skew, models, content, expect
    }

    var testDescription: String { "\(example): \(what), \(at)" }

    /// All steps of all examples.
    static let all: [LifeStep] =
        ["lutheran-radio", "avfoundation", "timor", "minvws", "ecall"].flatMap { example in
            // A file that can't be read is a step that fails.
            let read = try? read(example)
            return read ?? [
                LifeStep(example: example, what: "its life can't be read")
            ]
        }

    static func read(_ example: String) throws -> [LifeStep] {
        let text = try String(contentsOfFile: "\(Example.folder)/\(example)/life.yaml", encoding: .utf8)
        return try YAMLDecoder().decode([LifeStep].self, from: text).map { step in
            var step = step
            step.example = example
            return step
        }
    }

    private init(example: String, what: String) {
        self.example = example
        self.what = what
        at = ""
        profile = nil
        servers = [:]
        skew = nil
        models = nil
        content = nil
        expect = [:]
    }

    /// The instant.
    var instant: Date { get throws { try RFC3339.parse(at) } }
}
