import Foundation
import ProbeTestSupport
import Testing

/// The example of a package that only pins.
@Suite(.serialized, .bounded)
struct PinsOnlyTests {
    private static let package = "\(Example.folder)/pins-only"

    /// Nothing that only a prober needs is as much as looked for.
    @Test func resolvesNoPackageOfAProber() throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "probe-pins-only-\(UUID())")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let shown = try Self.swift(
            ["package", "--scratch-path", scratch.path, "show-dependencies", "--format", "flatlist"])
        // The first one is this checkout, by the name of its folder.
        #expect(shown.split(separator: "\n").dropFirst().sorted() == ["swift-asn1", "swift-crypto"])
    }

    /// Building swift-crypto anew takes minutes.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["PROBE_GUIDES"] != nil, "make guides runs it"),
        arguments: [("ca.pem", "certificate 0 has spki@any"), ("attacker.pem", "no certificate has spki@any")])
    func findsAPin(file: String, output: String) throws {
        let scratch = "\(Example.folder)/../.build-guides/pins-only"
        _ = try Self.swift(["build", "--quiet", "--scratch-path", scratch])
        let pin = try Self.pin(of: "\(Example.folder)/minvws/ca.pem")
        let printed = try Self.run(
            "\(scratch)/debug/pins-only", [pin, "\(Example.folder)/minvws/\(file)"], statuses: [0, 1])
        #expect(printed == output + "\n")
    }

    /// Returns a certificate's pin as OpenSSL's command computes it.
    private static func pin(of file: String) throws -> String {
        let line = """
            openssl x509 -in '\(file)' -pubkey -noout | openssl pkey -pubin -outform der \
            | openssl dgst -sha256 -binary | base64
            """
        return "sha256/" + (try run("/bin/sh", ["-c", line])).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func swift(_ arguments: [String]) throws -> String {
        try run("/usr/bin/env", ["swift"] + arguments)
    }

    /// Returns what a program prints.
    private static func run(_ path: String, _ arguments: [String], statuses: Set<Int32> = [0]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "-s", "KILL", "900", path] + arguments
        process.currentDirectoryURL = URL(filePath: package)
        let pipe = Pipe()
        (process.standardOutput, process.standardInput) = (pipe, FileHandle.nullDevice)
        try process.run()
        let printed = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        try #require(statuses.contains(process.terminationStatus), "\(path) \(arguments) printed:\n\(printed)")
        return printed
    }
}
