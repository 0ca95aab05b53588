import ProbeKit
import ProbePlatform

/// One request to a program, as written each time it is sent.
struct ProgramQuestion: Sendable {
    /// The type of the request, which its reply repeats.
    let type: String
    let deadline: Deadline
    /// The names of the capabilities that the program has to declare for it (PROTOCOL.md, hello).
    let needs: Set<String>
    /// The line for an id, without its end.
    let line: @Sendable (_ id: Int) throws -> Data
    /// Decides whether the program may continue, from the facts so far; nil if there is nothing to approve.
    let approve: (@Sendable (Data) async throws -> Bool)?

    init(
        _ type: String, _ body: some Encodable & Sendable, needs: Set<String> = [], deadline: Deadline,
        approve: (@Sendable (Data) async throws -> Bool)? = nil
    ) {
        self.type = type
        self.deadline = deadline
        self.needs = needs
        self.approve = approve
        line = { id in
            try ProgramJSON.encode(
                WireRequest(id: id, type: type, deadline: deadline.remaining.inSeconds, body: body))
        }
    }
}

/// The reply to one request to a program.
struct ProgramReply: Sendable {
    /// The reply's line.
    let line: Data
    let id: Int
    /// The answer that the program had to its question for an approval in this life; nil if it had none.
    let approval: Bool?
}
