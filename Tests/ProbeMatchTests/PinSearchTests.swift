import Foundation
import ProbeKit
import ProbeLab
import ProbePacking
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Every form of certificates is searched alike, packed or not, and however it is cut into pieces.
@Suite struct PinSearchTests {
    private static let forms: [String: @Sendable (MatchBench) throws -> [UInt8]] = [
        "pem": { $0.pem() }, "pem-crlf": { $0.pem("\r\n") }, "pem-cr": { $0.pem("\r") }, "pem-line": { $0.pem(" ") },
        "pem-escaped": { $0.pem(#"\n"#) }, "pem-unbroken": { $0.pem("") },
        "pem-joined": { $0.joinedPEM() }, "pem-shared": { $0.joinedPEM(sharingDashes: true) }, "der": { $0.der },
        "lines": { $0.jsonLines },
        "digests": { try $0.digestLines() }, "entries": { $0.entries(pretty: false) },
        "entries-pretty": { $0.entries(pretty: true) }, "tile": { $0.tile },
    ]

    private static func bytes(_ form: String, of bench: MatchBench) throws -> [UInt8] {
        let write = try #require(forms[form])
        return try write(bench)
    }

    static func gzip(_ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-k", path]
        try process.run()
        process.waitUntilExit()
        return path + ".gz"
    }

    static func zstd(_ bytes: [UInt8]) throws -> [UInt8] {
        let writer = try #require(ZstdWriter())
        return try #require(writer.pack(bytes)) + writer.end()
    }

    @Test("the certificates with a pin are those that one by one has", arguments: forms.keys.sorted())
    func everyForm(_ form: String) async throws {
        let bench = try MatchBench(count: 40)
        let folder = try MatchFolder()
        let bytes = try Self.bytes(form, of: bench)
        let path = try folder.write(bytes, "certificates")
        for path in [path, try Self.gzip(path), try folder.write(try Self.zstd(bytes), "certificates.zst")] {
            let searched = await Searched([path], bench.pins)
            #expect(searched.error == nil && searched.unreadable.isEmpty)
            #expect(searched.found.map(\.number) == bench.expected)
            #expect(searched.tally?.certificates == bench.certificates.count)
            #expect(searched.tally?.matched == 3 && searched.tally?.pins.count == 3)
            for found in searched.found {
                let certificate = bench.certificates[found.number - 1]
                #expect(found.certificate == (form == "digests" ? nil : certificate))
                #expect(bench.pins.filter(found.pins.contains) == found.pins && found.pins.count == 1)
                switch form {
                case "pem": #expect(found.line != nil && found.offset == nil)
                case "der", "tile": #expect(found.line == nil && found.offset != nil)
                default: break
                }
                if form.hasPrefix("entries") || form == "tile" {
                    let seen = 1_700_000_000 + Double(found.number - 1) / 1000
                    #expect(abs((found.seen?.timeIntervalSince1970 ?? 0) - seen) < 0.0005)
                }
                if form == "lines" { #expect(found.path == "data.tls.chain[0].raw" && found.line == found.number) }
            }
        }
    }

    @Test("places are those of the input") func places() async throws {
        let bench = try MatchBench(count: 9)
        let folder = try MatchFolder()
        let (pem, der) = (bench.pem(), bench.der)
        let searched = await Searched(
            [try folder.write(pem, "a.pem"), try folder.write(der, "a.der")], bench.pins)
        #expect(searched.found.count == 6)
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for found in searched.found {
            if let line = found.line { #expect(lines[line - 1] == "-----BEGIN CERTIFICATE-----") }
            if let offset = found.offset { #expect(der[offset...].starts(with: found.certificate ?? [])) }
        }
    }

    /// Blocks of any size, the smallest cut after every certificate.
    @Test("no certificate is cut in two", arguments: forms.keys.sorted())
    func cuts(_ form: String) throws {
        let bench = try MatchBench(count: 7)
        let bytes = try Self.bytes(form, of: bench)
        var known = try #require(InputForm(of: bytes))
        if known == .jsonLines, JSONCertificates.isOneText(bytes) { known = .json }
        var random = SplitMix(state: 4)
        for _ in 0..<60 {
            var (buffer, rest) = ([UInt8](), bytes[...])
            var (line, offset, found) = (1, 0, 0)
            while !rest.isEmpty || !buffer.isEmpty {
                let step = min(rest.count, Int.random(in: 1...2000, using: &random))
                buffer += rest.prefix(step)
                rest = rest.dropFirst(step)
                let cut = known.cut(buffer, isAtEnd: rest.isEmpty)
                #expect(cut.fault == nil)
                let block = InputBlock(
                    input: "", form: known, bytes: Array(buffer.prefix(cut.count)), line: line, offset: offset,
                    nextLine: line)
                let batch = block.certificates
                #expect(batch.undecoded.isEmpty)
                found += batch.certificates.count + batch.digested.count
                line += block.bytes.count { $0 == 0x0a }
                offset += cut.count
                buffer.removeSubrange(..<cut.count)
            }
            #expect(found == bench.certificates.count)
        }
    }

    @Test("a folder is searched in the order of its paths, and what is no certificate is passed over") func folders()
        async throws
    {
        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        _ = try folder.write(bench.der, "b/c.der")
        _ = try folder.write(bench.pem(), "a.pem")
        _ = try folder.write(Array("hello".utf8), "b/notes.txt")
        _ = try folder.write([], "empty")
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.error == nil)
        #expect(Set(searched.found.map(\.input)) == ["\(folder.path)/a.pem", "\(folder.path)/b/c.der"])
        #expect(searched.found.map(\.input) == searched.found.map(\.input).sorted())
        #expect(searched.tally?.inputs == 2 && searched.tally?.passedOver == 2)
        let named = await Searched(["\(folder.path)/b/notes.txt"], bench.pins)
        #expect(named.error?.message.contains("no certificates in a form that is known") == true)
        #expect(named.tally?.unfinished == 1)
        let missing = await Searched(["\(folder.path)/none"], bench.pins)
        #expect(missing.error?.message.contains("No such file") == true)
    }

    /// Files that people have beside certificates, each before the certificate in the order of paths.
    @Test(
        "a folder's file of no known form is passed over, broken or not",
        arguments: [
            Array("01\n".utf8), Array("0,alice\n".utf8), Array("[section]\nkey = 1\n".utf8), Array("{ echo; }\n".utf8),
            Array("write `-----BEGIN CERTIFICATE-----` first\n".utf8),
            Array(repeatElement(Array("[2026-01-01 00:00:00] a line\n".utf8), count: 1 << 14).joined()),
        ])
    func otherFiles(_ bytes: [UInt8]) async throws {
        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        _ = try folder.write(bench.pem(), "z.pem")
        let other = try folder.write(bytes, "a")
        let packed = try Array(Data(contentsOf: URL(filePath: try Self.gzip(other))))
        // Of a text with a block's first words in it nobody knows what is missing.
        let isQuoted = InputForm(of: bytes) != nil
        _ = try folder.write(isQuoted ? packed : packed.dropLast(4), "b.gz")
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.error == nil && searched.unreadable.isEmpty, "\(String(describing: searched.error))")
        let tally = try #require(searched.tally)
        #expect(tally.matched == 3 && tally.inputs + tally.passedOver == 4 && tally.unfinished == 0)
    }

    @Test("an input that can't be searched costs itself alone") func faultsCostThemselves() async throws {
        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        let inputs = [
            try folder.write(bench.der + [0x31, 1, 2], "a"), try folder.write(Array("nothing".utf8), "b"),
            try folder.write(try Self.zstd(bench.pem()).dropLast(3), "c"), try folder.write(bench.pem(), "d"),
        ]
        for searched in [await Searched(inputs, bench.pins), await Searched([folder.path], bench.pins)] {
            let tally = try #require(searched.tally)
            #expect(tally.matched == 9 && tally.certificates == 18)
            // Named itself, a file without certificates is a fault; a folder may have any.
            #expect(tally.unfinished + tally.passedOver == 3 && tally.inputs == 1)
            #expect(searched.error?.message.hasPrefix("\(inputs[0]) has no certificate at byte") == true)
        }
    }

    @Test("a folder's links to files are followed, each file once, and those to folders are not") func links()
        async throws
    {
        let bench = try MatchBench(count: 6)
        let (store, live) = (try MatchFolder(), try MatchFolder())
        let file = try store.write(bench.pem(), "a.pem")
        for (link, target) in [
            ("1.pem", file), ("2.pem", file), ("up", live.path), ("gone.pem", file + ".gone"), ("pipe", "/dev/null"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: "\(live.path)/\(link)", withDestinationPath: target)
        }
        let searched = await Searched([live.path], bench.pins)
        #expect(Set(searched.found.map(\.input)) == ["\(live.path)/1.pem"] && searched.found.count == 3)
        #expect(searched.error == nil)
        // Beside the file itself none of its links is searched, whatever its name.
        let own = try live.write(bench.pem(), "z.pem")
        try FileManager.default.createSymbolicLink(atPath: "\(live.path)/0.pem", withDestinationPath: own)
        let both = await Searched([live.path], bench.pins)
        #expect(Set(both.found.map(\.input)) == ["\(live.path)/1.pem", own] && both.found.count == 6)
        // A link that was named is the folder that it leads to.
        let named = store.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: named, withDestinationPath: store.path)
        defer { try? FileManager.default.removeItem(atPath: named) }
        #expect(await Searched([named], bench.pins).found.map(\.input).first == "\(named)/a.pem")
        // A name in another encoding is not a file that nobody needs to hear of.
        let name = (live.path + "/caf").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xe9), 0]
        close(unsafe open(name, O_CREAT | O_WRONLY, 0o644))
        let other = await Searched([live.path], bench.pins)
        #expect(other.error?.message.hasSuffix("can't be read: its name is not UTF-8") == true)
        #expect(other.error?.remedy.contains("rename it") == true && other.found.count == 6)
    }

    @Test("a packed pipe is recognised however little it gives at first") func slowPipe() async throws {
        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        for packed in [
            try Array(Data(contentsOf: URL(filePath: try Self.gzip(try folder.write(bench.pem(), "a"))))),
            try Self.zstd(bench.pem()),
        ] {
            let path = "\(folder.path)/pipe\(packed.count)"
            try #require(unsafe mkfifo(path, 0o600) == 0)
            // Both ends, so that opening waits for nobody; what is written in one piece stays within the pipe.
            let both = unsafe open(path, O_RDWR)
            try #require(both >= 0)
            let first = packed.prefix(2)
            #expect(unsafe first.withUnsafeBytes { unsafe write(both, $0.baseAddress, $0.count) } == first.count)
            async let searched = Searched([path], bench.pins)
            let rest = packed.dropFirst(2)
            // The reader has taken the beginning before the rest is there.
            var waiting: CInt = 1
            while waiting > 0 {
                try await Task.sleep(for: .milliseconds(1))
                _ = unsafe ioctl(both, UInt(FIONREAD), &waiting)
            }
            #expect(unsafe rest.withUnsafeBytes { unsafe write(both, $0.baseAddress, $0.count) } == rest.count)
            repeat {
                try await Task.sleep(for: .milliseconds(1))
                _ = unsafe ioctl(both, UInt(FIONREAD), &waiting)
            } while waiting > 0
            close(both)
            let found = await searched
            #expect(found.found.count == 3 && found.error == nil, "\(String(describing: found.error))")
        }
    }

    @Test("each pin has its sightings") func sightings() async throws {
        let bench = try MatchBench(count: 12)
        let folder = try MatchFolder()
        let inputs = [
            try folder.write(bench.entries(pretty: false), "1.json"), try folder.write(bench.tile, "2"),
            try folder.write(bench.pem(), "3.pem"),
        ]
        let tally = try #require(await Searched(inputs, bench.pins).tally)
        let sightings = try #require(tally.pins[bench.pins[0]])
        #expect(sightings.count == 3)
        #expect(sightings.first.input == inputs[0] && sightings.last.input == inputs[2])
        #expect(sightings.first.number == 7 && sightings.firstSeen == sightings.lastSeen && sightings.firstSeen != nil)
    }

    @Test("what is broken is told, and what came before it is found") func broken() async throws {
        let bench = try MatchBench(count: 5)
        let folder = try MatchFolder()
        let pin = [bench.pins[0]]
        let der = await Searched([try folder.write(bench.der + [0x31, 1, 2], "x.der")], pin)
        #expect(der.found.count == 1)
        #expect(der.error?.message.hasSuffix("has no certificate at byte \(bench.der.count)") == true)
        let short = await Searched([try folder.write(bench.der.dropLast(), "y.der")], pin)
        #expect(short.found.count == 1 && short.error?.message.contains("cut short") == true)
        let garbled = "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n"
        let pem = await Searched([try folder.write(Array(garbled.utf8) + bench.pem(), "z.pem")], pin)
        #expect(pem.found.count == 1 && pem.unreadable.map(\.line) == [1])
        let open = await Searched([try folder.write(bench.pem() + Array(garbled.utf8.dropLast(20)), "o.pem")], pin)
        #expect(open.found.count == 1 && open.error?.message.contains("cut short") == true, "\(open)")
        let packed = try Self.gzip(try folder.write(bench.der, "v.der"))
        let bytes = try Array(Data(contentsOf: URL(filePath: packed)))
        let cut = await Searched([try folder.write(bytes.dropLast(20), "w.gz")], pin)
        #expect(cut.error?.message.contains("cut short") == true)
        // The checksum is the last but four bytes.
        let wrong = await Searched(
            [try folder.write(bytes.dropLast(5) + [bytes[bytes.count - 5] ^ 1] + bytes.suffix(4), "u.gz")], pin)
        #expect(wrong.error?.message.contains("is a gzip file that is broken") == true)
        // Whole certificates before the fault of a small packed file are found, too.
        for packed in [bytes, try Self.zstd(bench.der)] {
            let short = await Searched([try folder.write(packed.dropLast(3), "s")], pin)
            #expect(short.found.count == 1 && short.error?.message.contains("cut short") == true, "\(short)")
        }
        let frame = try Self.zstd(bench.der)
        let frameCut = await Searched([try folder.write(frame.dropLast(20), "w.zst")], pin)
        #expect(frameCut.error?.message.contains("is a zstd file that is cut short") == true)
        let garbledFrame = await Searched([try folder.write(frame + [1, 2, 3, 4, 5], "u.zst")], pin)
        #expect(garbledFrame.error?.message.contains("is a zstd file that is broken") == true)
        let twice = await Searched([try folder.write(bytes + bytes, "t.gz")], pin)
        #expect(twice.error == nil && twice.found.count == 2)
    }

    /// 128 KiB of one byte take four bytes of Zstandard, so that a small file may be many gigabytes of nothing.
    @Test(
        "what unpacks to one of no form is given up at its beginning, and a text is held in pieces",
        arguments: [1, 0x78])
    func bomb(of byte: UInt8) async throws {
        let folder = try MatchFolder()
        let size = 128 << 10
        let block = [
            UInt8(truncatingIfNeeded: size << 3 | 2), UInt8(truncatingIfNeeded: size >> 5), UInt8(size >> 13), byte,
        ]
        let blocks = Array(repeatElement(block, count: 64).joined())
        let path = try folder.write([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58] + blocks + [1, 0, 0], "a.zst")
        let reader = try InputReader(.start(of: path))
        var most = 0
        #expect(try await reader.blocks { most = max(most, $0.bytes.count) } == false)
        // A text may have a block further on.
        #expect(byte == 1 ? most == 0 : (1...5 << 20).contains(most))
        #expect(byte == 1 ? (1...2 << 20).contains(reader.buffer.count) : reader.buffer.isEmpty)
    }

    /// Whatever the bytes are, a search ends, with a find or an error that names the input.
    @Test("hostile bytes do no harm", arguments: forms.keys.sorted()) func hostile(_ form: String) throws {
        let bench = try MatchBench(count: 3)
        let bytes = try Self.bytes(form, of: bench)
        var random = SplitMix(state: 11)
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: changed.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed[place] = [0, 0xff, 0x7f, 0x80][Int.random(in: 0..<4, using: &random)]
                case 2: changed.remove(at: place)
                default: changed.removeSubrange(place..<min(changed.count, place + 40))
                }
                if changed.isEmpty { break }
            }
            guard let known = InputForm(of: changed) else { continue }
            let cut = known.cut(changed, isAtEnd: true)
            #expect(cut.count == changed.count || cut.fault != nil)
            let block = InputBlock(
                input: "", form: known, bytes: Array(changed.prefix(cut.count)), line: 1, offset: 0, nextLine: 1)
            #expect(block.certificates.certificates.count <= 10)
        }
    }

    @Test("a million pins are looked for at once") func manyPins() async throws {
        let bench = try MatchBench(count: 20)
        let folder = try MatchFolder()
        let others = (0..<1_000_000).map { number in
            Pin(kind: .spki, digest: PinDigest(words: (UInt64(number), 1, 2, 3)))
        }
        let searched = await Searched([try folder.write(bench.der, "a.der")], others + bench.pins)
        #expect(searched.found.map(\.number) == bench.expected)
    }
}
