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
        "pem": { $0.pem() }, "pem-crlf": { $0.pem("\r\n") }, "der": { $0.der }, "lines": { $0.jsonLines },
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
        let known = try #require(InputForm(of: bytes))
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
        let missing = await Searched(["\(folder.path)/none"], bench.pins)
        #expect(missing.error?.message.contains("No such file") == true)
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
    @Test("what unpacks to one of no form is given up at its beginning") func bomb() async throws {
        let folder = try MatchFolder()
        let size = 128 << 10
        let block = [
            UInt8(truncatingIfNeeded: size << 3 | 2), UInt8(truncatingIfNeeded: size >> 5), UInt8(size >> 13), 0x78,
        ]
        let blocks = Array(repeatElement(block, count: 64).joined())
        let path = try folder.write([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58] + blocks + [1, 0, 0], "a.zst")
        let reader = try InputReader(.start(of: path))
        #expect(try await reader.blocks { _ in } == false)
        #expect((1...2 << 20).contains(reader.buffer.count), "\(reader.buffer.count) bytes are held")
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
