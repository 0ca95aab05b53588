import ProbeKit
import ProbeRun

/// The records that led to a server, where the output is about something else.
enum FollowedText {
    /// Prints a line for each question to standard error.
    static func complain(_ check: Check) {
        for step in check.course?.steps ?? [] {
            Terminal.printError("probe: followed: \(PrintableText.escape("\(step)"))")
        }
    }
}
