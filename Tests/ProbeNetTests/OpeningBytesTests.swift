import NIOCore
import Testing

@testable import ProbeNet

/// A network splits a peer's first bytes as it likes: they mean the same in any pieces.
@Suite struct OpeningBytesTests {
    /// Returns the meaning of bytes that come in pieces, and the bytes with it.
    private static func word(_ bytes: [UInt8], inPiecesOf size: Int) -> (kind: String, bytes: [UInt8]) {
        var opening = OpeningBytes()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size)
            switch opening.take(piece) {
            case .undecided, .unnamed: continue
            case .record(let all): return ("record", Array(all.readableBytesView) + rest)
            case .clearText(let all): return ("clear text", Array(all.readableBytesView) + rest)
            }
        }
        return (opening.clearText == nil ? "too few" : "short clear text", bytes)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 100])
    func theyAreJudgedTogether(size: Int) {
        for (bytes, kind) in [
            (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "clear text"),
            ([0x16] + Array("rubbish".utf8), "clear text"), ([0x15, 3, 3, 0, 2, 2, 40], "record"),
            ([0x16, 3, 3, 0], "too few"), ([0x16], "too few"), ([0x16, 7], "clear text"),
            (Array("H".utf8), "short clear text"), (Array("x\r\n".utf8), "clear text"),
        ] as [([UInt8], String)] {
            let word = Self.word(bytes, inPiecesOf: size)
            #expect(word.kind == kind && word.bytes == bytes, "\(bytes)")
        }
    }

    /// Bytes of text are held for a protocol's name only, which no other bytes have: not those of a line that has ended.
    @Test(
        arguments: [
            ("H", true), ("220", true), ("x\r", true), ("x\n", false), ("\n", false), ("HTTP/", false),
            ("\u{16}\u{7}", false),
        ])
    func onlyAGreetingIsWaitedFor(text: String, isWaitedFor: Bool) {
        var opening = OpeningBytes()
        switch opening.take(ByteBuffer(string: text)) {
        case .unnamed: #expect(isWaitedFor)
        case .clearText(let bytes): #expect(!isWaitedFor && bytes == ByteBuffer(string: text))
        case .undecided, .record: Issue.record("it is not recognized as clear text")
        }
    }
}
