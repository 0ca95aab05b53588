import NIOCore
import ProbePlatform

/// The error that broke a connection, in words for a message: those of NIO name its functions and their parameters.
struct BrokenConnection {
    /// True if the peer reset it; a write after the reset fails as one into a broken pipe (tcp(7)).
    let isReset: Bool
    /// The reason.
    let reason: String
    /// The system's code; nil if the error is not the system's.
    let nativeCode: String?

    init(_ error: any Error) {
        guard let number = (error as? IOError)?.errnoCode else {
            isReset = false
            reason = "\(error)"
            nativeCode = nil
            return
        }
        isReset = number == ECONNRESET || number == EPIPE
        reason = isReset ? "the peer reset the connection" : unsafe String(cString: strerror(number))
        nativeCode = isReset ? "ECONNRESET" : "errno \(number)"
    }
}
