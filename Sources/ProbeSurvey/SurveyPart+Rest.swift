import ProbeKit

extension SurveyPart {
    /// Asks each stack for the entries that the first one does not have.
    mutating func goThroughRest(_ interview: inout Interview, through transports: [any Transport]) async {
        let isRefusedByFirst = result.isOffered == false
        for subject in SurveySubject.allCases {
            var names = others[subject] ?? []
            for transport in transports where stop == nil && !names.isEmpty {
                // A version that is refused with every cipher suite has no groups.
                guard subject == .cipherSuites || result.isOffered != false else { break }
                names = await ask(for: names, subject, &interview, through: transport)
            }
            // If only another stack's cipher suites are accepted, the other lists were not asked beside them.
            let isWhole = subject == .cipherSuites || !isRefusedByFirst || result.isOffered == false
            let (rest, isComplete) = (names, isWhole && stop == nil)
            change(subject) {
                $0.notAsked = rest
                $0.isComplete = isComplete
            }
        }
    }

    /// Goes through entries of one list alone, in as few offers as the stack can make of them, and returns those that it
    /// can't ask for.
    private mutating func ask(
        for names: [String], _ subject: SurveySubject, _ interview: inout Interview, through transport: any Transport
    ) async -> [String] {
        guard !names.isEmpty, stop == nil else { return names }
        var answer = await interview.ask(
            ClientOffer(version, [subject: names].merging(suites(using: subject)) { $1 }), through: transport,
            about: version.rawValue)
        if case .notAskable = answer, !suites(using: subject).isEmpty {
            answer = await interview.ask(
                ClientOffer(version, [subject: names]), through: transport, about: version.rawValue)
        }
        switch answer {
        case .refused(let failure):
            note(refusal: failure)
            return []
        case .accepted(let report):
            left[subject] = names
            defer { left[subject] = nil }
            guard note(report, of: [subject], transport) else {
                // With a cipher suite that needs no entry of the list, nothing was asked about it.
                return subject != .alpn && subject.choice(in: report) == nil ? names : []
            }
            return await ask(for: left[subject] ?? [], subject, &interview, through: transport)
        case .notAskable(let entries) where !entries.isEmpty:
            let rest = names.filter { !entries.contains($0) }
            return names.filter(entries.contains)
                + (await ask(for: rest, subject, &interview, through: transport))
        case .notAskable where names.count == 1: return names
        case .notAskable:
            let half = names.count / 2
            let first = await ask(for: Array(names[..<half]), subject, &interview, through: transport)
            return first + (await ask(for: Array(names[half...]), subject, &interview, through: transport))
        case .stopped(let reason):
            stop = reason
            // Only a part of the list was refused so far.
            if result.isOffered == false { result.isOffered = nil }
            if reason.code == HandshakeFailure.Code.chainTooLong.rawValue { result.isOffered = true }
            return []
        }
    }
}
