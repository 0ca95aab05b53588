/// The result of a request.
enum ProgramAnswer: Sendable {
    case reply(ProgramReply)
    /// The request is one that the program can't do or answer.
    case fault(ProgramFault)
    /// The program was lost while several requests were in progress, and this one may not be the cause.
    case lost(ProgramFault)
    /// The request was not put to the program: its time was over before.
    case late(ProgramFault)
}
