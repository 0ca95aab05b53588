import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe pins` as scripts and users see it.
@Suite(.bounded) struct PinsCommandTests {
    private let bench = CommandBench()

    @Test("[R39] the pins of a file are those of the server that presents it") func pinsOfAFileAreThoseOfTheServer()
        async throws
    {
        try await ScratchFolder.withURL { folder in
            let pem = folder.appending(path: "chain.pem").path
            try CommandBench.pki.identity(.good).chainPEM.write(toFile: pem, atomically: true, encoding: .utf8)
            let file = try await Probe.run(["pins", pem, "--format", "json"])
            let live = try await bench.probe(.tls(LabTLSRecipe(.good)), ["--format", "json"], command: ["pins"])
            #expect(file.code == 0 && live.code == 0, "\(live.errors)")
            let keys = ["certSHA256", "spkiSHA256", "rawKeySHA256"]
            func hashes(_ lines: some Sequence<[String: Any]>) -> [[String]] {
                lines.map { line in keys.map { line[$0] as? String ?? "" } }
            }
            #expect(hashes(file.lines) == hashes(live.lines.prefix(2)))
            #expect(live.lines.count == 3, "leaf, intermediate and the anchor")
            #expect(file.lines.first?["spkiSHA256"] as? String == (try bench.pin().hex))
            let (text, spki) = (try await Probe.run(["pins", pem]).output, try bench.pin().base64)
            for form in ["sha256/", "sha256//", "pin-sha256=\""] { #expect(text.contains(form + spki), "\(text)") }
        }
    }

    /// An input that can't be read costs itself alone, and a word that is not a target is found before anything is shown.
    @Test func anInputThatCanNotBeReadCostsItself() async throws {
        try await ScratchFolder.withURL { folder in
            let (pem, junk) = (folder.appending(path: "chain.pem").path, folder.appending(path: "junk.pem").path)
            try CommandBench.pki.identity(.good).chainPEM.write(toFile: pem, atomically: true, encoding: .utf8)
            try "junk".write(toFile: junk, atomically: true, encoding: .utf8)
            for bad in [junk, folder.appending(path: "absent.pem").path] {
                let run = try await Probe.run(["pins", pem, bad, pem, "--format", "json"])
                #expect(run.code == 65 && run.errors.contains(bad), "\(run.errors)")
                #expect(run.lines.map { $0["index"] as? Int } == [0, 1, 0, 1], "\(run.output)")
            }
            let word = try await Probe.run(["pins", pem, "bad..name", "--format", "json"])
            #expect(word.code == 64 && word.output.isEmpty, "\(word.output)\(word.errors)")
        }
    }

    /// A script sees it as a reader of the text does.
    @Test func pinsHaveTheirPathInJSON() async throws {
        func paths(_ name: LabIdentityName) async throws -> [Bool?] {
            let run = try await bench.probe(.tls(LabTLSRecipe(name)), ["--format", "json"], command: ["pins"])
            #expect(run.lines.allSatisfy { $0.keys.contains("onValidPath") }, "\(run.output)")
            return run.lines.map { $0["onValidPath"] as? Bool }
        }
        #expect(try await paths(.good) == [true, true, true])
        #expect(Set(try await paths(.extraCertificates)) == [true, false])
        #expect(Set(try await paths(.expired)) == [nil])
    }

    /// Nobody pins a stranger's certificate unaware; what is shown, and the exit code, stay.
    @Test func pinsOfAnUntrustedChainAreShownWithAWarning() async throws {
        let trusted = try await bench.probe(.tls(LabTLSRecipe(.extraCertificates)), [], command: ["pins"])
        #expect(trusted.code == 0 && !trusted.errors.contains("not trusted"), "\(trusted.errors)")
        #expect(trusted.output.contains(" (sent along, on no valid path)"), "\(trusted.output)")
        let good = try await bench.probe(.tls(LabTLSRecipe(.good)), [], command: ["pins"])
        #expect(!good.output.contains("sent along"), "\(good.output)")
        let stranger = try await bench.probe(.tls(LabTLSRecipe(.unknownIssuer)), [], command: ["pins"])
        #expect(stranger.code == 0 && stranger.errors.contains("the chain is not trusted: "), "\(stranger.errors)")
        // The issuer is on no valid path because there is none, and not because it was only sent along.
        let late = try await bench.probe(.tls(LabTLSRecipe(.expired)), [], command: ["pins"])
        #expect(
            late.errors.contains("the chain is not trusted: ") && !late.output.contains("sent along"), "\(late.output)")
    }
}
