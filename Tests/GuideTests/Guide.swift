import Foundation
import Testing

/// A guide of the documentation as the steps that a reader takes.
struct Guide: Sendable {
    /// One step.
    enum Step: Equatable, Sendable {
        /// Commands, a line each.
        case commands([String])
        /// A file to write, by its path relative to the reader's folder.
        case file(path: String, text: String)
        /// Texts in the last command's output.
        case output([String])
    }

    let steps: [Step]

    /// Reads the fenced blocks: `sh` has commands, `text` has their output, and any other block is the file that the
    /// text before it names last.
    init(_ markdown: String) throws {
        var steps: [Step] = []
        var prose = ""
        var block: (language: String, lines: [String])?
        for line in markdown.components(separatedBy: "\n") {
            if let open = block, line == "```" {
                steps.append(try Self.step(open.language, open.lines, after: prose))
                (block, prose) = (nil, "")
            } else if block != nil {
                block?.lines.append(line)
            } else if line.hasPrefix("```") {
                block = (String(line.dropFirst(3)), [])
            } else {
                prose += line + "\n"
            }
        }
        self.steps = steps
    }

    /// A block of a language that a file should hold, before which no file is named.
    struct Unnamed: Error {
        let language: String
    }

    private static func step(_ language: String, _ lines: [String], after prose: String) throws -> Step {
        switch language {
        case "sh": return .commands(lines)
        case "text": return .output(lines)
        default:
            // A symbol of the documentation is between two backticks and is not a file.
            let files = prose.replacing(/``[^`]+``/, with: "").matches(of: /`([^`\n]+)`/)
            guard let name = files.last?.1 else { throw Unnamed(language: language) }
            return .file(path: String(name), text: lines.joined(separator: "\n") + "\n")
        }
    }
}
