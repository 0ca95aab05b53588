import CProbeUnbound

/// An error code of libunbound, whole: its number, its own words, and the call that gave it.
struct UnboundError: Error, CustomStringConvertible {
    let code: CInt
    let call: String

    /// Turns a code that is not UB_NOERROR into an error. None may be ignored: a context whose forwarder could not be
    /// set asks the root servers.
    static func check(_ code: CInt, _ call: String) throws(UnboundError) {
        guard code == UB_NOERROR.rawValue else { throw UnboundError(code: code, call: call) }
    }

    /// Returns the error of a call that returned a null pointer.
    static func outOfMemory(_ call: String) -> UnboundError { UnboundError(code: UB_NOMEM.rawValue, call: call) }

    var description: String {
        let words = unsafe ub_strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
        return "\(call): \(words) (libunbound error \(code))"
    }
}
