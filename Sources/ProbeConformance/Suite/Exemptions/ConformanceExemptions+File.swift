public import ProbeKit
import ProbePlatform

extension ConformanceExemptions {
    /// The largest file that is read, in bytes.
    public static let maximumBytes = 1 << 20

    /// Reads a file in the schema `probe-exemptions/1`.
    ///
    /// - Throws: ``InputError`` naming the file, the case, and the fix.
    public static func read(_ path: String) throws(InputError) -> ConformanceExemptions {
        let text = try InputFile.text(of: path, limit: maximumBytes, kind: "file of exemptions")
        do throws(InputError) {
            return try ConformanceExemptions(json: Array(text.utf8))
        } catch {
            throw InputError("\(path): \(error.message)", remedy: error.remedy, source: .file)
        }
    }

    /// Reads several files as one.
    ///
    /// - Parameter earlier: what was read before, which is part of the result.
    /// - Throws: ``InputError`` as for each of them, and if two exempt one backend from one case.
    public static func read(
        _ paths: [String], beside earlier: ConformanceExemptions = ConformanceExemptions()
    ) throws(InputError) -> ConformanceExemptions {
        var all = earlier
        for path in paths {
            let read = try read(path)
            do throws(InputError) {
                all = try all.merging(read)
            } catch {
                throw InputError("\(path): \(error.message)", remedy: error.remedy, source: .file)
            }
        }
        return all
    }

    /// Creates the exemptions of a file's bytes.
    init(json bytes: [UInt8]) throws(InputError) {
        for (backend, entries) in try Self.record(bytes).backends.sorted(by: { $0.key < $1.key }) {
            for entry in entries {
                var outcomes: Set<Outcome> = []
                for name in entry.outcomes { outcomes.insert(try Self.outcome(name, in: entry.id)) }
                try add(
                    Exemption(
                        outcomes: outcomes, code: entry.code, offlineTrust: entry.offlineTrust,
                        reason: PrintableText.escape(entry.reason)),
                    to: entry.id, of: PrintableText.escape(backend))
            }
        }
    }

    private static func outcome(_ name: String, in id: String) throws(InputError) -> Outcome {
        guard let outcome = Outcome(rawValue: name) else {
            let known = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw InputError(
                "\(PrintableText.escape(id)): there is no outcome '\(PrintableText.escape(name))'",
                remedy: "write one of \(known)")
        }
        return outcome
    }

    private static func record(_ bytes: [UInt8]) throws(InputError) -> ExemptionsRecord {
        do {
            let record = try JSONDecoder().decode(ExemptionsRecord.self, from: Data(bytes))
            if let key = RepeatedKey.first(in: bytes) {
                throw InputError("'\(PrintableText.escape(key))' is there twice", remedy: "keep one of them")
            }
            return record
        } catch let error as InputError {
            throw error
        } catch let error as DecodingError {
            throw InputError(reason(error), remedy: "write \(ExemptionsRecord.example)")
        } catch {
            throw InputError("it is not a JSON object", remedy: "write \(ExemptionsRecord.example)")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        func text(_ what: String, _ context: DecodingError.Context) -> String {
            let steps = context.codingPath.map { key in
                key.intValue.map { "entry \($0 + 1)" } ?? "'\(PrintableText.escape(key.stringValue))'"
            }
            return (steps + [what]).joined(separator: ", ")
        }
        return switch error {
        case .keyNotFound(let key, let context): text("'\(key.stringValue)' is missing", context)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            text("it has another type than it should", context)
        case .dataCorrupted(let context): text(PrintableText.escape(context.debugDescription), context)
        @unknown default: "it is not a JSON object"
        }
    }
}
