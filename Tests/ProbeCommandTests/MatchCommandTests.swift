import Foundation
import ProbeKit
import ProbeLab
import ProbePacking
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// `probe match` from the command line.
@Suite(.bounded) struct MatchCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// A folder with two chains as PEM, a leaf as DER, and the SPKI pin of the issuer of both.
    private func inFolder(_ body: (_ folder: String, _ pin: Pin) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            let (good, other) = (try Self.pki.identity(.good), try Self.pki.identity(.wildcard))
            try good.chainPEM.write(to: folder.appending(path: "1.pem"), atomically: true, encoding: .utf8)
            try other.chainPEM.write(to: folder.appending(path: "2.pem"), atomically: true, encoding: .utf8)
            try Data(good.leaf).write(to: folder.appending(path: "3.der"))
            try "nothing".write(to: folder.appending(path: "notes.txt"), atomically: true, encoding: .utf8)
            let key = PinDigest.sha256(of: try Self.pki.key(LabAuthority.intermediate.recipe.key).spki)
            try await body(folder.path, Pin(kind: .spki, digest: key))
        }
    }

    @Test("what is found is reported where it stands, on lines that keep to their schema") func asJSON() async throws {
        let schema = try Schema.load("probe-match-1.schema.json")
        try await inFolder { folder, pin in
            let leaf = Pin(kind: .cert, digest: .sha256(of: try Self.pki.identity(.good).leaf))
            let run = try await Probe.run(
                ["match", "--pin", "\(pin)", "--pin", "\(leaf)", "--format", "json", folder])
            #expect(run.code == 0, "\(run.errors)")
            for line in run.lines { #expect(schema.violations(in: line) == []) }
            let found = run.lines.filter { $0["kind"] as? String == "certificate" }
            #expect(
                found.map { ($0["input"] as? String)?.split(separator: "/").last } == [
                    "1.pem", "1.pem", "2.pem", "3.der",
                ])
            #expect(found.map { $0["number"] as? Int } == [1, 2, 2, 1])
            #expect(found.map { $0["pins"] as? [String] } == [["\(leaf)"], ["\(pin)"], ["\(pin)"], ["\(leaf)"]])
            #expect(found.first?["line"] as? Int == 1 && found.last?["offset"] as? Int == 0)
            let pins = run.lines.filter { $0["kind"] as? String == "pin" }
            #expect(pins.map { $0["certificates"] as? Int } == [2, 2])
            let summary = try #require(run.lines.last)
            #expect(summary["matched"] as? Int == 4 && summary["passedOver"] as? Int == 1)
            #expect(summary["pins"] as? Int == 2 && summary["pinsFound"] as? Int == 2)
        }
    }

    @Test("without a find the exit code is that of a mismatch") func notFound() async throws {
        try await inFolder { folder, _ in
            let pin = Pin(kind: .spki, digest: .sha256(of: [1]))
            let run = try await Probe.run(["match", "--pin", "\(pin)", folder])
            #expect(run.code == 10)
            #expect(run.output.contains("0 of 5 certificates in 3 files have the pin\n  \(pin)  not found\n"))
        }
    }

    @Test("an input that does not exist keeps nothing else from being searched", arguments: [false, true])
    func missing(isFirst: Bool) async throws {
        try await inFolder { folder, pin in
            let inputs = [folder + "/nothing", folder + "/1.pem"]
            let run = try await Probe.run(
                ["match", "--pin", "\(pin)", "--format", "json"] + (isFirst ? inputs : inputs.reversed()))
            #expect(run.code == 65 && run.errors.contains("/nothing can't be read: No such file"), "\(run.errors)")
            #expect(run.lines.contains { $0["kind"] as? String == "certificate" }, "\(run.output)")
            #expect(run.lines.last?["unfinished"] as? Int == 1)
        }
    }

    @Test("the database of a scan is not passed over") func database() async throws {
        try await inFolder { folder, pin in
            let path = "\(folder)/out.sqlite"
            #expect(try await Probe.run(["scan", "127.0.0.1:1", "--backend", "nio", "--resume", path]).code == 20)
            for input in [folder, path] {
                let outcome = try await Probe.run(["match", "--pin", "\(pin)", input])
                #expect(outcome.code == 65 && outcome.errors.contains("is the database of a scan"), "\(outcome.errors)")
                #expect(outcome.errors.contains("'SELECT json FROM lines'"))
            }
        }
    }

    @Test("pins come from a list, a profile and options, and standard input is searched") func sources() async throws {
        try await inFolder { folder, pin in
            let list = folder + "/pins.list"
            try "# ours\n\n  spki:sha256:\(pin.digest.base64)\n".write(toFile: list, atomically: true, encoding: .utf8)
            let profile = folder + "/profile.list"
            try "spki@ca:sha256:\(pin.digest.hex)\n".write(toFile: profile, atomically: true, encoding: .utf8)
            for option in [["--pins", list], ["--profile", profile], ["--pin", "sha256//\(pin.digest.base64)"]] {
                let run = try await Probe.run(["match"] + option + [folder + "/1.pem"])
                #expect(run.code == 0 && run.output.contains("1 of 2 certificates in 1 file has the pin"), "\(run)")
                #expect(run.output.contains("/1.pem:"))
            }
            try "\u{feff}spki:sha256:\(pin.digest.base64)\r\n".write(toFile: list, atomically: true, encoding: .utf8)
            let marked = try await Probe.run(["match", "--pins", list, folder + "/1.pem"])
            #expect(marked.code == 0, "\(marked)")
            let cut = folder + "/cut.pem"
            try "-----BEGIN CERTIFICATE-----\nMIIB\n".write(toFile: cut, atomically: true, encoding: .utf8)
            let short = try await Probe.run(["match", "--pins", list, cut])
            #expect(short.code == 65 && short.errors.contains("cut short"), "\(short)")
            try "spki:sha256:short\n".write(toFile: list, atomically: true, encoding: .utf8)
            let bad = try await Probe.run(["match", "--pins", list, folder])
            #expect(bad.code == 65 && bad.errors.contains("pins.list:1: "))
        }
    }

    @Test(
        "a search that was cut off anywhere is continued to the same lines, packed or not",
        arguments: [".jsonl", ".jsonl.zst"])
    func resumed(_ ending: String) async throws {
        let schema = try Schema.load("probe-match-1.schema.json")
        try await inFolder { folder, pin in
            let file = folder + ending
            defer { try? FileManager.default.removeItem(atPath: file) }
            func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: file))) }
            func lines() throws -> String {
                let bytes = try bytes()
                return String(
                    decoding: ending == ".jsonl" ? bytes : try Unpacked.bytes(bytes[...], .zstd, limit: 1 << 30),
                    as: UTF8.self)
            }
            let search = ["match", "--pin", "\(pin)", "--format", "json", "--resume", file, folder]
            let first = try await Probe.run(search)
            #expect(first.code == 0 && first.output.isEmpty, "\(first)")
            let (whole, all) = (try lines(), try bytes())
            for line in whole.split(separator: "\n") {
                let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(schema.violations(in: object) == [])
            }
            #expect(whole.contains(#""matched":2"#))
            for length in [0, 10, all.count / 3, all.count / 2, all.count - 4, all.count - 1, all.count] {
                try Data(all.prefix(length)).write(to: URL(filePath: file))
                let again = try await Probe.run(search)
                #expect(again.code == 0, "\(again)")
                #expect(try lines() == whole, "cut off after \(length)")
            }
            // A power loss leaves zeros where the file had grown.
            for length in ending == ".jsonl" ? [10, all.count / 3, all.count - 1, all.count] : [all.count] {
                try Data(Array(all.prefix(length)) + [UInt8](repeating: 0, count: 4096)).write(to: URL(filePath: file))
                let again = try await Probe.run(search)
                #expect(again.code == 0, "\(again)")
                #expect(try lines() == whole, "zeros after \(length)")
            }
        }
    }

    @Test(
        "a line that is written can be read back, whatever the certificate's subject",
        arguments: [("\u{1}", 180_000), ("\u{1}", 1_000_000), ("a", 1_000_000)])
    func longSubject(_ character: String, _ count: Int) async throws {
        try await inFolder { folder, _ in
            let der = try Self.pki.issue(
                .leaf("subject") { $0.commonName = String(repeating: character, count: count) })
            try Data(der).write(to: URL(filePath: folder + "/long.der"))
            let pin = Pin(kind: .cert, digest: .sha256(of: der))
            let file = folder + ".jsonl"
            defer { try? FileManager.default.removeItem(atPath: file) }
            for _ in 0..<2 {
                let run = try await Probe.run(
                    ["match", "--pin", "\(pin)", "--format", "json", "--resume", file, folder + "/long.der"])
                #expect(run.code == 0, "\(run.errors)")
            }
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count { $0.contains(#""kind":"certificate""#) } == 1)
            #expect(lines.allSatisfy { $0.utf8.count < 8 << 20 })
        }
    }

    @Test("certificates that an earlier run could not read are a reason that is given again") func unreadBefore()
        async throws
    {
        try await inFolder { folder, _ in
            let input = folder + "/garbled.pem"
            try "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n"
                .write(toFile: input, atomically: true, encoding: .utf8)
            let file = folder + ".jsonl"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let pin = Pin(kind: .spki, digest: .sha256(of: [1]))
            let search = ["match", "--pin", "\(pin)", "--format", "json", "--resume", file, input]
            let first = try await Probe.run(search)
            #expect(first.code == 65 && first.errors.contains("garbled.pem:1: not a certificate"), "\(first.errors)")
            #expect(!first.errors.contains("earlier run"))
            let second = try await Probe.run(search)
            #expect(second.code == 65, "\(second.errors)")
            #expect(second.errors.contains("1 certificate can't be read, as an earlier run"), "\(second.errors)")
        }
    }

    @Test("the file that is written is not searched", arguments: [".jsonl", ".jsonl.zst"])
    func ownFile(_ ending: String) async throws {
        try await inFolder { folder, pin in
            let file = folder + "/own" + ending
            let search = ["match", "--pin", "\(pin)", "--format", "json", "--resume", file]
            for _ in 0..<2 {
                let outcome = try await Probe.run(search + [folder])
                #expect(outcome.code == 0, "\(outcome)")
            }
            let bytes = try Array(Data(contentsOf: URL(filePath: file)))
            let text = ending == ".jsonl" ? bytes : try Unpacked.bytes(bytes[...], .zstd, limit: 1 << 20)
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            #expect(!lines.contains { $0.contains(#""input":"\#(file)""#) })
            let other = folder + "/other" + ending
            let named = try await Probe.run(search.dropLast() + [other, other])
            #expect(named.code == 64 && named.errors.contains("is searched and written to"), "\(named.errors)")
        }
    }

    @Test("the file in a folder that standard output goes to is not searched") func ownOutput() async throws {
        try await inFolder { folder, pin in
            let search = "\"$0\" match --pin \(pin) --format json"
            let run = try await Probe.shell("\(search) '\(folder)' > '\(folder)/out.json'")
            #expect(run.code == 0, "\(run.errors)")
            let lines = try String(contentsOfFile: folder + "/out.json", encoding: .utf8).split(separator: "\n")
            let last = try #require(lines.last)
            let summary = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
            #expect(summary?["inputs"] as? Int == 3 && summary?["passedOver"] as? Int == 1, "\(last)")
            let named = try await Probe.shell("\(search) '\(folder)/out.json' >> '\(folder)/out.json'")
            #expect(named.code == 64 && named.errors.contains("is searched and written to"), "\(named.errors)")
            // Only a file is left out.
            #expect(try await Probe.shell("\(search) '\(folder)' > /dev/null").code == 0)
        }
    }

    @Test("a pipe of several forms is not searched to its end without saying so") func mixedPipe() async throws {
        try await inFolder { folder, _ in
            let pin = Pin(kind: .spki, digest: .sha256(of: [1]))
            let run = try await Probe.shell(
                "cat '\(folder)/1.pem' '\(folder)/3.der' | \"$0\" match --pin \(pin) -")
            #expect(run.code == 65 && run.errors.contains("not a certificate that can be read"), "\(run)")
        }
    }

    @Test("another spelling of an input's name is another input") func spelling() async throws {
        try await inFolder { folder, pin in
            let file = folder + ".jsonl"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let names = ["\(folder)/caf\u{e9}.pem", "\(folder)/cafe\u{301}.pem"]
            for name in names {
                try Data(contentsOf: URL(filePath: folder + "/1.pem")).write(to: URL(filePath: name))
            }
            let search = ["match", "--pin", "\(pin)", "--format", "json", "--resume", file]
            #expect(try await Probe.run(search + [names[0]]).code == 0)
            let other = try await Probe.run(search + [names[1]])
            #expect(other.code == 64 && other.errors.contains("is of a search of"), "\(other.errors)")
        }
    }

    @Test("a search that ends with an error ends its packed file") func endedByAnError() async throws {
        try await inFolder { folder, pin in
            let file = folder + ".zst"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let cut = folder + "/z.gz"
            try Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]).write(to: URL(filePath: cut))
            let search = ["match", "--pin", "\(pin)", "--format", "json", "--resume", file, folder]
            #expect(try await Probe.run(search).code == 65)
            let bytes = try Array(Data(contentsOf: URL(filePath: file)))
            let lines = String(decoding: try Unpacked.bytes(bytes[...], .zstd, limit: 1 << 20), as: UTF8.self)
            #expect(lines.contains(#""kind":"certificate""#))
        }
    }

    @Test("a file of something else, or of another search, is left unchanged") func foreignRecord() async throws {
        try await inFolder { folder, pin in
            let file = folder + ".jsonl"
            defer { try? FileManager.default.removeItem(atPath: file) }
            func run(_ arguments: [String], as format: String = "json") async throws -> Probe.Outcome {
                try await Probe.run(["match", "--format", format, "--resume", file] + arguments)
            }
            for text in ["diary", "diary\n", #"{"schema":"probe/1"}"# + "\n"] {
                try text.write(toFile: file, atomically: false, encoding: .utf8)
                let refused = try await run(["--pin", "\(pin)", folder])
                #expect(refused.code == 65 && refused.errors.contains("not one that probe match wrote"), "\(refused)")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
            }
            try FileManager.default.removeItem(atPath: file)
            #expect(try await run(["--pin", "\(pin)", folder]).code == 0)
            let whole = try String(contentsOfFile: file, encoding: .utf8)
            let others = Pin(kind: .spki, digest: .sha256(of: [1]))
            for (format, arguments, reason) in [
                ("json", ["--pin", "\(others)", folder], "other pins"),
                ("json", ["--pin", "\(pin)", folder + "/1.pem"], "is of a search of"),
                ("json", ["--pin", "\(pin)", "-"], "standard input"),
                ("text", ["--pin", "\(pin)", folder], "--format json"),
            ] {
                let refused = try await run(arguments, as: format)
                #expect(refused.code == 64 && refused.errors.contains(reason), "\(refused)")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == whole)
            }
        }
    }

    @Test(
        "input that can't be searched is refused by name",
        arguments: [
            ([], 64, "no pin was given"), (["--pin", "spki:sha256:x"], 64, "--pin"),
        ] as [([String], Int32, String)])
    func refusals(_ options: [String], code: Int32, message: String) async throws {
        try await inFolder { folder, pin in
            let run = try await Probe.run(["match"] + options + [folder])
            #expect(run.code == code && run.errors.contains(message), "\(run.errors)")
            let none = try await Probe.run(["match", "--pin", "\(pin)"])
            #expect(none.code == 64 && none.errors.contains("nothing was given to search"))
            let text = try await Probe.run(["match", "--pin", "\(pin)", folder + "/1.pem", folder + "/notes.txt"])
            #expect(text.code == 65 && text.errors.contains("notes.txt has no certificates"))
            #expect(text.output.contains("/1.pem:"), "what was found before is reported")
        }
    }
}
