import Foundation
import ProbeKit
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Certificates that stand behind something broken, or in a form that other programs write, are found.
@Suite struct HiddenCertificatesTests {
    private let bench: MatchBench
    private let folder: MatchFolder
    private let pem: [String]

    init() throws {
        bench = try MatchBench(count: 2)
        folder = try MatchFolder()
        pem = bench.certificates.map { der in
            let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
        }
    }

    /// The pin of the second certificate.
    private var pin: Pin {
        get throws {
            let der = bench.certificates[1]
            let digests = try CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester())
            return Pin(kind: .cert, digest: digests.cert)
        }
    }

    private func search(_ bytes: [UInt8], _ name: String = "input") async throws -> Searched {
        await Searched([try folder.write(bytes, name)], [try pin])
    }

    /// Returns the first block without its last line of base64 and its end.
    private var cutBlock: String {
        pem[0].split(separator: "\n").dropLast(2).joined(separator: "\n") + "\n"
    }

    @Test("a block that is cut short, or text like one, takes no other with it", arguments: 0..<5)
    func brokenBlocks(_ index: Int) async throws {
        let before = [
            cutBlock, pem[0] + "grep for -----BEGIN lines\n", "-----BEGIN RSA PRIVATE KEY----\n",
            "-----BEGIN CERTIFICATE\n-----\n", String(repeating: "-----BEGIN x", count: 30) + "\n",
        ][index]
        let searched = try await search(Array((before + pem[1]).utf8))
        #expect(searched.tally?.matched == 1)
        #expect(searched.unreadable.count == (index == 0 ? 1 : 0))
    }

    @Test("a block far down in a text is found, in a folder and alone", arguments: [false, true])
    func longTexts(isInFolder: Bool) async throws {
        let line = "2026-01-02 03:04:05 a server said something of no interest\n"
        let log = String(repeating: line, count: 100_000)
        let path = try folder.write(Array((log + pem[1] + line).utf8), "logs/app.log")
        let searched = await Searched([isInFolder ? "\(folder.path)/logs" : path], [try pin])
        #expect(searched.tally?.matched == 1 && searched.found.first?.line == 100_001)
        #expect(searched.error == nil)
        let without = await Searched([try folder.write(Array(log.utf8), "plain.log")], [try pin])
        #expect(without.error?.message.contains("has no certificates in a form that is known") == true)
    }

    @Test("a text without line breaks is searched in pieces") func oneLine() async throws {
        let searched = try await search(Array((String(repeating: "x", count: 70 << 20) + pem[1]).utf8))
        #expect(searched.tally?.matched == 1 && searched.error == nil)
    }

    @Test("a certificate in JSON, in every alphabet and with anything around it", arguments: 0..<6)
    func stringsOfJSON(_ index: Int) async throws {
        let base64 = Data(bench.certificates[1]).base64EncodedString()
        let lines = Data(bench.certificates[1]).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        let url = base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let text = [base64, lines, url, "\n" + pem[1], "subject=CN=two\n" + pem[1], " " + base64][index]
        let object = try JSONSerialization.data(withJSONObject: ["certificate": text])
        for mark in [[], [0xef, 0xbb, 0xbf]] as [[UInt8]] {
            let searched = try await search(mark + Array(object))
            #expect(searched.tally?.matched == 1 && searched.unreadable.isEmpty, "\(text.prefix(40))")
        }
    }

    @Test(
        "a blank or broken first line does not make one text of many",
        arguments: ["\n", " \n\n", "{\"cut\": \n", "{}}\n"])
    func firstLines(_ first: String) async throws {
        let filler = #"{"host":"a.test","note":"\#(String(repeating: "x", count: 1000))"}"# + "\n"
        let last = #"{"certificate":"\#(Data(bench.certificates[1]).base64EncodedString())"}"# + "\n"
        let lines = String(repeating: filler, count: 5000)
        // The second block begins with such a line too.
        let searched = try await search(Array((first + lines + first + lines + last).utf8))
        #expect(searched.tally?.matched == 1 && searched.error == nil, "\(searched.error as Any)")
        #expect(searched.unreadable.count == (first.contains("{") ? 2 : 0))
    }

    @Test("one text over many lines stays one") func prettyPrinted() async throws {
        let entries = (0..<200).map {
            ["number": $0, "der": Data(bench.certificates[$0 % 2]).base64EncodedString()] as [String: Any]
        }
        for object in [["all": entries] as Any, entries] {
            let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted])
            let searched = try await search(Array(data))
            #expect(searched.tally?.matched == 100 && searched.unreadable.isEmpty)
        }
    }

    @Test("what was unpacked before a fault is searched", arguments: ["gz", "zst"])
    func damagedArchives(_ kind: String) async throws {
        let bytes = Array(pem[1].utf8)
        var packed =
            kind == "gz"
            ? Array(try Data(contentsOf: URL(filePath: try PinSearchTests.gzip(try folder.write(bytes, "plain")))))
            : try PinSearchTests.zstd(bytes)
        // The checksum: gzip's is before a length.
        let place = packed.count - (kind == "gz" ? 8 : 1)
        packed[place] ^= 0xff
        let searched = try await search(packed, "damaged.\(kind)")
        #expect(searched.tally?.matched == 1 && searched.tally?.unfinished == 1)
        #expect(searched.error?.message.contains("that is broken") == true)
    }

    @Test("a log's time beyond all calendars is left out") func timeBeyondCalendars() {
        let certificate = bench.certificates[1]
        let leaf: [UInt8] = [0, 0] + [UInt8](repeating: 0xff, count: 8) + [0, 0] + MatchBench.vector(certificate, 3)
        let entry = CTEntry(leafInput: leaf + [0, 0], extraData: [0, 0, 0])
        #expect(entry != nil && entry?.timestamp == nil)
    }
}
