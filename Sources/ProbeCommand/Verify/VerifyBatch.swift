import ProbeKit
import ProbePacking
import ProbePlatform
import ProbeTrust

/// Answers a batch of questions, a few at a time, in the order they were asked.
struct VerifyBatch {
    let transports: [any Transport]
    let clock: ProbeClock
    let reference = ReferenceVerifier.withSystemSuffixes()

    /// The number of questions in progress: enough to keep the processors busy, few enough to need little memory.
    private let width = max(2, ProcessInfo.processInfo.activeProcessorCount * 2)

    /// Reads questions to the end and prints each answer when it is its turn.
    ///
    /// - Returns: the outcomes, and the number of unreadable lines.
    func run(_ lines: LineReader) async throws(InputError) -> (outcomes: Set<Outcome>, malformed: Int) {
        let printer = VerifyPrinter()
        var failure: InputError?
        await withTaskGroup(of: Void.self) { group in
            var asked = 0
            var number = 0
            do throws(InputError) {
                while let line = try await lines.next() {
                    number += 1
                    if case .text(let bytes) = line, bytes.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) { continue }
                    while asked - (await printer.printed) >= width, await group.next() != nil {}
                    let (turn, number) = (asked, number)
                    asked += 1
                    group.addTask { await printer.take(answer(line, number: number), at: turn) }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return (await printer.outcomes, await printer.malformed)
    }

    private struct Named: Decodable {
        let id: String
    }

    private func answer(_ line: LineReader.Line, number: Int) async -> [VerifyLine] {
        guard case .text(let bytes) = line else {
            return [VerifyLine(malformed: "line \(number) is longer than \(VerifyRequest.maximumLine) bytes", id: nil)]
        }
        let read: VerifyRequest.Line
        do {
            read = try JSONDecoder().decode(VerifyRequest.Line.self, from: Data(bytes))
        } catch {
            // Whoever asks finds the answer by what the line has for a name, if it has that.
            let id = (try? JSONDecoder().decode(Named.self, from: Data(bytes)))?.id
            let reason = JSONFault.reason(error, in: bytes)
            return [VerifyLine(malformed: "line \(number) is not a question: \(reason)", id: id)]
        }
        let request = read.request
        if let key = RepeatedKey.first(in: bytes) {
            let error = InputError(
                "'\(PrintableText.escape(key))' is there twice", remedy: "keep one of them", source: .file)
            return [VerifyLine(malformed: "line \(number): \(error)", id: request.id)]
        }
        if let unknown = read.unknown {
            let error = InputError(
                "'\(PrintableText.escape(unknown))' is not a member of a question",
                remedy: "see the help of probe verify", source: .file)
            return [VerifyLine(malformed: "line \(number): \(error)", id: request.id)]
        }
        let question: TrustQuestion
        do throws(InputError) {
            question = try request.question(now: clock.now)
        } catch {
            return [VerifyLine(malformed: "line \(number): \(error)", id: request.id)]
        }
        return await answer(question, id: request.id)
    }

    /// Returns every transport's answer to one question, with the reference's.
    func answer(_ question: TrustQuestion, id: String) async -> [VerifyLine] {
        let reference = await reference.evaluate(question)
        var lines: [VerifyLine] = []
        for transport in transports {
            lines.append(await answer(question, id: id, transport, reference: reference).line)
        }
        return lines
    }

    /// Returns one transport's answer, and its trust result if it supports the question and has one.
    func answer(
        _ question: TrustQuestion, id: String, _ transport: any Transport, reference: TrustReading
    ) async -> (line: VerifyLine, native: TrustReading?) {
        let missing = question.requiredCapabilities.subtracting(transport.capabilities)
        guard missing.isEmpty else {
            return (VerifyLine(id: id, transport: transport.identity, missing: missing, reference: reference), nil)
        }
        let native = await transport.evaluateTrust(question)
        return (
            VerifyLine(id: id, transport: transport.name, native: native, reference: reference),
            native.isAnswered ? native : nil
        )
    }
}

/// Prints answers in the order of their questions, each as soon as its turn comes: whoever asks may wait for an answer
/// before asking again.
private actor VerifyPrinter {
    private(set) var outcomes: Set<Outcome> = []
    private(set) var malformed = 0
    /// The number of questions whose answers are printed.
    private(set) var printed = 0
    private var waiting: [Int: [VerifyLine]] = [:]

    func take(_ lines: [VerifyLine], at turn: Int) {
        waiting[turn] = lines
        while let ready = waiting.removeValue(forKey: printed) {
            printed += 1
            for line in ready {
                if let outcome = line.outcome { outcomes.insert(outcome) } else { malformed += 1 }
                Terminal.print(JSONText.line(line))
            }
        }
    }
}
