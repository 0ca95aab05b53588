import Foundation
import ProbeKit

/// A line that is not a reply, in the words of a fault.
enum GarbledLine {
    /// The lines that are quoted: of a message to people, the first one is rarely the reason.
    private static let quotedLines = 6
    /// The bytes that are quoted of a line's beginning and of its end.
    private static let quotedBytes = (first: 80, last: 40)

    /// Returns the reason, and the text that a person recognises the line by.
    ///
    /// - Parameters:
    ///   - error: the error of reading it.
    ///   - further: the lines that came with it; those that are replies are not at fault.
    static func words(for line: [UInt8], _ error: any Error, before further: ArraySlice<[UInt8]>) -> String {
        var others: [String] = []
        for other in further where others.count < quotedLines - 1 && !isBlank(other) && !isReply(other) {
            others.append(quote(other))
        }
        guard !isBlank(line) else { return (["an empty line"] + others).joined(separator: ", ") }
        let reason = [JSONFault.reason(error, in: line), place(in: line)].compactMap(\.self).joined(separator: " ")
        return "\(reason), in \(([quote(line)] + others).joined(separator: ", "))"
    }

    /// Returns the place from which a line is not JSON, in Foundation's words; nil if it is, or if they have none.
    private static func place(in line: [UInt8]) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)
            return nil
        } catch {
            // `JSONDecoder` gives neither reason nor place on Linux.
            guard let words = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String else { return nil }
            let sentence = words.hasSuffix(".") ? words.dropLast() : words[...]
            return "(\(sentence.prefix(1).lowercased() + sentence.dropFirst()))"
        }
    }

    private static func isReply(_ line: [UInt8]) -> Bool { (try? WireHeader.read(line)) != nil }

    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
    }

    private static func quote(_ line: [UInt8]) -> String {
        func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
        guard line.count > quotedBytes.first + quotedBytes.last else { return "'\(text(line))'" }
        return "'\(text(line.prefix(quotedBytes.first)))…\(text(line.suffix(quotedBytes.last)))'"
    }
}
