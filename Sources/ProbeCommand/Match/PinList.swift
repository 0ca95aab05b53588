import Foundation
import ProbeKit
import ProbePins

/// A file of pins, one or more a line, in the forms of `--pin`.
enum PinList {
    private static let maximumBytes = 256 << 20

    /// - Throws: `InputError` naming the line.
    static func read(_ path: String) throws(InputError) -> [Pin] {
        var bytes = try InputFile.bytes(of: path, limit: maximumBytes, kind: "file of pins")[...]
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        var pins: [Pin] = []
        for (index, line) in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            do throws(InputError) {
                pins += try PinText.parse(text).map(\.pin)
            } catch {
                throw InputError("\(path):\(index + 1): \(error.message)", remedy: error.remedy, source: .file)
            }
        }
        guard !pins.isEmpty else {
            throw InputError("\(path) has no pins", remedy: "write one a line, like spki:sha256:BASE64", source: .file)
        }
        return pins
    }
}
