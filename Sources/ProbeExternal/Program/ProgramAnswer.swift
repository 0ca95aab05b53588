import ProbePlatform

/// The result of a request.
enum ProgramAnswer: Sendable {
    /// The reply's line.
    case reply(Data, id: Int)
    /// The request is one that the program can't do or answer.
    case fault(ProgramFault)
    /// The program was lost while several requests were in progress, and this one may not be the cause.
    case lost(ProgramFault)
}
