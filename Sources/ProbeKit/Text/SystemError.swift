import ProbePlatform

/// The system's part in an error of Foundation's, whose own words leave the reason out.
package enum SystemError: Sendable {
    /// Returns the system's number for an error; nil if it has none.
    package static func number(of error: any Error) -> CInt? {
        let cause = (error as? CocoaError)?.underlying ?? error
        return (cause as? POSIXError)?.code.rawValue
    }

    /// Returns the system's words for a number.
    package static func words(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }

    /// Returns the system's words for an error, or else the error's own.
    package static func words(of error: any Error) -> String {
        number(of: error).map { words($0) } ?? "\(error)"
    }
}
