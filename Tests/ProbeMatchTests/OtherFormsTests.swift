import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// An input counts as searched only if all that may be a certificate in it was read.
@Suite(.bounded) struct OtherFormsTests {
    private static func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = Array(parts.joined())
        return content.count < 0x80
            ? [tag, UInt8(content.count)] + content
            : [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)] + content
    }

    private static let algorithm = der(0x30, [6, 1, 42])
    private static let name = der(0x30, [UInt8](repeating: 5, count: 4))
    private static let signature = der(0x03, [UInt8](repeating: 0, count: 150))
    private static let time = der(0x17, Array("261129000000Z".utf8))

    /// Values that begin as a certificate does.
    private static let others: [String: [UInt8]] = [
        "key": der(0x30, algorithm, signature), "encrypted": der(0x30, algorithm, der(0x04, signature)),
        "request": der(0x30, der(0x30, [2, 1, 0], name, name, [0xa0, 0]), algorithm, signature),
        "bare": der(0x30, der(0x30, [2, 1, 0], name, name), algorithm, signature),
        "list": der(0x30, der(0x30, [2, 1, 1], algorithm, name, time, time), algorithm, signature),
        "first": der(0x30, der(0x30, algorithm, name, time), algorithm, signature),
    ]

    @Test("a folder's keys, requests and lists are passed over", arguments: others.keys.sorted())
    func passedOver(_ kind: String) async throws {
        let bench = try MatchBench(count: 6)
        let folder = try MatchFolder()
        let other = try #require(Self.others[kind])
        #expect(DERElement.isCertificate(other[...]) && DERElement.isOther(other[...]))
        let path = try folder.write(other, "a.der")
        _ = try folder.write(other + bench.der, "b.der")
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.error == nil && searched.unreadable.isEmpty, "\(String(describing: searched.error))")
        let tally = try #require(searched.tally)
        #expect(tally.passedOver == 1 && tally.inputs == 1 && tally.certificates == 6 && tally.matched == 3)
        // Named itself it should have certificates.
        #expect(await Searched([path], bench.pins).unreadable.count == 1)
    }

    @Test("a broken certificate in a folder is reported") func brokenCertificate() async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        var der = bench.certificates[0]
        #expect(!DERElement.isOther(der[...]))
        let version = try #require(der.firstRange(of: [0xa0, 3, 2, 1, 2], in: der.indices))
        der[version.upperBound] = 5
        _ = try folder.write(der, "a.der")
        let searched = await Searched([folder.path], bench.pins)
        #expect(searched.unreadable.count == 1 && searched.tally?.passedOver == 0)
        // The first version has no tag of its own.
        let signed = Self.der(
            0x30, Self.der(0x30, [2, 1, 1], Self.name, Self.name, Self.name), Self.algorithm, Self.signature)
        #expect(!DERElement.isOther(signed[...]) && !DERElement.isOther(signed.dropLast()))
    }

    @Test("DER or JSON after a block, as in a pipe of many files, is reported at its line", arguments: 0..<6)
    func mixed(_ index: Int) async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let (pem, der) = (bench.pem(), bench.der)
        let lines = pem.count { $0 == 0x0a }
        let input: [UInt8]
        let line: Int
        switch index {
        case 0: (input, line) = (pem + der, lines + 1)
        case 1: (input, line) = (Array(pem.dropLast()) + der, lines)
        case 2: (input, line) = (pem + bench.jsonLines, lines + 1)
        case 3: (input, line) = (pem + [0x0a, 0x0a] + bench.entries(pretty: true), lines + 3)
        case 4: (input, line) = (Array("notes\n".utf8) + der + [0x0a] + pem, 2)
        default: (input, line) = (pem + Array("notes\n".utf8) + der + pem, lines + 2)
        }
        let searched = await Searched([try folder.write(input, "a")], bench.pins)
        #expect(searched.unreadable.map(\.line) == [line], "\(searched.unreadable)")
        #expect(searched.tally?.certificates == (index == 5 ? 4 : 2) && searched.error == nil)
    }

    /// Returns the number of values that are not read, of an input that comes in pieces of so many bytes.
    private static func undecoded(_ input: [UInt8], step: Int) -> Int {
        var (buffer, rest, trail, count) = ([UInt8](), input[...], PEMTrail(), 0)
        while !rest.isEmpty {
            buffer += rest.prefix(step)
            rest = rest.dropFirst(step)
            let cut = InputForm.pem.cut(buffer, isAtEnd: rest.isEmpty).count
            var block = InputBlock(
                input: "", form: .pem, bytes: Array(buffer.prefix(cut)), line: 1, offset: 0, nextLine: 1)
            block.isAfterBlock = trail.isAfterBlock
            trail.append(block.bytes[...])
            count += block.certificates.undecoded.count
            buffer.removeSubrange(..<cut)
        }
        return count
    }

    @Test("another form after a block is reported however it is cut into pieces", arguments: [1, 2, 3, 5, 7, 64, 1000])
    func cutIntoPieces(_ step: Int) throws {
        let pem = try MatchBench(count: 1).pem()
        for other in [
            "{\"a\":1}\n", "\n\n {\"a\":1}", "[\n{\n\"a\":1}]\n", "\u{feff}{\"a\":1}\n", "\u{feff}\n[\n[\n]]",
        ] {
            #expect(Self.undecoded(pem + Array(other.utf8), step: step) == 1, "\(other)")
        }
        // Line breaks within the header.
        let der: [UInt8] = [0x30, 0x82, 0x0a, 0x0a, 0x30, 0x82, 9, 9, 0x0a, 1]
        #expect(Self.undecoded(pem + der, step: step) == 1)
        #expect(Self.undecoded(pem.dropLast() + der, step: step) == 1)
        for text in ["0\n", "{ echo; }\n", "[section]\n", "{\nb }\n", "é\n"] {
            #expect(Self.undecoded(pem + Array(text.utf8) + pem, step: step) == 0, "\(text)")
        }
    }

    @Test("JSON is reported where a piece ends between it and the block, also by a search that goes on")
    func endOfAPiece() async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let once = bench.pem()
        // The first four megabytes end within the line of JSON.
        let pem = [[UInt8]](repeating: once, count: ((4 << 20) - 200) / once.count).flatMap(\.self)
        let line = Array(#"{"pad":"\#(String(repeating: "x", count: 100_000))"}"#.utf8)
        let input = try folder.write(pem + line, "a")
        var (positions, unreadable) = ([SearchPosition](), 0)
        _ = try await PinSearch(bench.pins, width: 1).run([input]) { event in
            switch event {
            case .reached(let position): positions.append(position)
            case .unreadable: unreadable += 1
            case .found, .unfinished: break
            }
        }
        let first = try #require(positions.first)
        #expect(first.offset == pem.count && first.state == .open && unreadable == 1)
        var earlier = EarlierSearch()
        earlier.add([], upTo: first)
        _ = try await PinSearch(bench.pins).run([input], after: earlier) { event in
            if case .unreadable = event { unreadable += 1 }
        }
        #expect(unreadable == 2)
    }

    @Test("a file that is named has certificates, and a folder's key is passed over") func keyAsPEM() async throws {
        let bench = try MatchBench(count: 2)
        let folder = try MatchFolder()
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let inputs = [try folder.write(bench.pem(), "a.pem"), try folder.write(Array(key.utf8), "key.pem")]
        let named = await Searched(inputs, bench.pins)
        #expect(named.error?.message.hasSuffix("key.pem has no certificates in a form that is known") == true)
        #expect(named.tally?.unfinished == 1 && named.tally?.inputs == 1)
        let inFolder = await Searched([folder.path], bench.pins)
        #expect(inFolder.error == nil && inFolder.tally?.passedOver == 1 && inFolder.tally?.inputs == 1)
    }

    @Test("certificates in CMS are not read, and reported", arguments: ["PKCS7", "PKCS #7 SIGNED DATA", "CMS"])
    func messages(_ label: String) async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        let block = "text\n-----BEGIN \(label)-----\nMIIB\n-----END \(label)-----\n"
        let path = try folder.write(Array(block.utf8) + bench.pem(), "a.p7b")
        for input in [path, folder.path] {
            let searched = await Searched([input], bench.pins)
            #expect(searched.unreadable.map(\.line) == [2] && searched.tally?.certificates == 1)
        }
    }

    @Test("text around blocks is not another form") func text() async throws {
        let bench = try MatchBench(count: 1)
        let folder = try MatchFolder()
        for text in ["[section]\n", "{ echo; }\n", "0\n00\n", "0é\n30\n", "[2026-01-01] done\n"] {
            let input = Array(text.utf8) + bench.pem() + Array(text.utf8)
            let searched = await Searched([try folder.write(input, "a")], bench.pins)
            #expect(searched.unreadable.isEmpty && searched.error == nil, "\(text)")
        }
    }
}
