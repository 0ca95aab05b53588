import Foundation
public import ProbeKit
import ProbeLab
import ProbePlatform
import Testing

/// Skips the test case that runs, and prints the reason: a case that is only cancelled leaves no line in the log, and is
/// not in the report that `Scripts/tests.sh` reads.
public func skip(_ reason: String) throws -> Never {
    try reportSkipped(reason, "")
    try Test.cancel("\(reason)")
}

/// Skips the test case that runs on a machine without the address: many containers lack ::1.
public func need(_ address: IPAddress) throws {
    if !LabServer.canListen(on: address) { try skip("this machine has no address \(address)") }
}

/// Prints that a part of the test case is left out, and why. `.ci/run` runs the whole test again once everything is installed.
public func leaveOut(_ reason: String) throws { try reportSkipped(reason, " in part") }

/// Adds the test's name and the reason to the file that `PROBE_SKIPPED` names, too.
private func reportSkipped(_ reason: String, _ extent: String) throws {
    let reason = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    print("↷ \(Test.current?.name ?? "test") skipped\(extent): \(reason)")
    guard let list = ProcessInfo.processInfo.environment["PROBE_SKIPPED"], let id = Test.current?.id else { return }
    // Cases that run side by side skip side by side: only the kernel knows where the file ends.
    let descriptor = unsafe open(list, O_WRONLY | O_APPEND)
    guard descriptor >= 0 else { return }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data("\(id)\t\(reason)\n".utf8))
}
