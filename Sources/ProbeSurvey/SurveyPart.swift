import ProbeKit

/// The survey of one protocol version.
///
/// Everything a stack has is offered at once. From an accepted offer the server's choices are removed, in all lists
/// together, and the rest is offered again; when that is refused, each list is asked alone beside all of the others, to
/// see which one has nothing left. So a version takes about as many handshakes as its longest list has entries.
struct SurveyPart {
    let version: TLSVersion
    var result: Survey.Version
    private(set) var alpn = Survey.List()
    var stop: Survey.Stop?
    /// The lists, as far as the stack that is asked has their entries.
    private var all: [SurveySubject: [String]] = [:]
    /// The entries that the server has neither chosen nor refused.
    var left: [SurveySubject: [String]] = [:]
    /// The entries that are for other stacks to ask for.
    var others: [SurveySubject: [String]] = [:]
    /// The stack that asked all lists together; nil if none can.
    var first: String?
    /// The first refusal that was an end of the connection.
    private var end: HandshakeFailure?

    /// True if the server let the time for the version pass, and has never answered an offer of it.
    var isUnanswered: Bool {
        result.isOffered == nil && stop?.code == HandshakeFailure.Code.handshakeTimeout.rawValue
    }

    init(_ version: TLSVersion) {
        self.version = version
        result = Survey.Version(version)
    }

    // MARK: All lists together

    /// Goes through all lists with the first of the stacks that can offer them together.
    ///
    /// - Parameter asksALPN: true in the first version that is offered.
    mutating func goThrough(_ interview: inout Interview, through transports: [any Transport], asksALPN: Bool) async {
        let subjects = SurveySubject.allCases.filter { $0 != .alpn || asksALPN }
        for subject in subjects { others[subject] = subject.candidates(in: version) }
        for transport in transports where stop == nil {
            all = others
            var missing: [SurveySubject: [String]] = [:]
            guard let answer = await begin(&interview, through: transport, missing: &missing) else { continue }
            first = transport.name
            others = missing
            left = all
            switch answer {
            case .refused(let failure):
                note(refusal: failure)
                left = [:]
            case .accepted(let report):
                result.isOffered = true
                note(report, of: Array(left.keys), transport)
                await exhaust(&interview, through: transport)
            case .stopped(let reason): stop = reason
            case .notAskable: break
            }
            return
        }
    }

    /// Offers everything that a stack has; nil if it can't offer all lists together.
    private mutating func begin(
        _ interview: inout Interview, through transport: any Transport, missing: inout [SurveySubject: [String]]
    ) async -> Interview.Answer? {
        while true {
            let answer = await interview.ask(ClientOffer(version, all), through: transport, about: version.rawValue)
            guard case .notAskable(let entries) = answer else { return answer }
            guard !entries.isEmpty, !(all[.cipherSuites] ?? []).isEmpty else { return nil }
            for (subject, names) in all {
                missing[subject, default: []] += names.filter(entries.contains)
                all[subject] = names.filter { !entries.contains($0) }
            }
        }
    }

    private mutating func exhaust(_ interview: inout Interview, through transport: any Transport) async {
        while stop == nil {
            left = left.filter { !$0.value.isEmpty }
            let open = SurveySubject.allCases.filter { left[$0] != nil }
            guard !open.isEmpty else { return }
            if open.count > 1, await ask(open, &interview, through: transport) { continue }
            for subject in open where stop == nil {
                if await !ask([subject], &interview, through: transport), stop == nil { left[subject] = nil }
            }
        }
    }

    /// Offers the rest of some lists beside all of the others, and returns true if the server chose from them.
    private mutating func ask(
        _ subjects: [SurveySubject], _ interview: inout Interview, through transport: any Transport
    ) async -> Bool {
        var lists = all
        for subject in subjects { lists[subject] = left[subject] }
        if subjects.count == 1 { lists.merge(suites(using: subjects[0])) { $1 } }
        switch await interview.ask(ClientOffer(version, lists), through: transport, about: version.rawValue) {
        case .accepted(let report): return note(report, of: subjects, transport)
        // A stack that has all entries and not this list of them: they are for the others, or for a list of their own.
        case .notAskable:
            if subjects.count == 1 { others[subjects[0], default: []] += left[subjects[0]] ?? [] }
            return false
        case .refused: return false
        case .stopped(let reason):
            stop = reason
            return false
        }
    }

    /// The cipher suites to offer with a list, so that an entry of it is chosen.
    func suites(using subject: SurveySubject) -> [SurveySubject: [String]] {
        let used: [String]? =
            switch subject {
            case .groups: suites(\.isEllipticSuite)
            case .signatureAlgorithms: suites(\.isSigningSuite)
            case .cipherSuites, .alpn: nil
            }
        return used.map { [.cipherSuites: $0] } ?? [:]
    }

    /// The accepted cipher suites with a property, so that the list under question matters; all of them if none is accepted.
    private func suites(_ isUsed: (String) -> Bool) -> [String]? {
        let used = result.cipherSuites.names.filter(isUsed)
        return all[.cipherSuites]?.filter(used.isEmpty ? isUsed : used.contains)
    }

    /// Records the server's choices, and returns true if there were any among the entries that are left.
    @discardableResult
    mutating func note(
        _ report: HandshakeReport, of subjects: [SurveySubject], _ transport: any Transport
    ) -> Bool {
        var found = false
        for subject in subjects {
            let choice = subject.choice(in: report)
            guard let name = left[subject]?.first(where: { $0.lowercased() == choice?.lowercased() }) else {
                // A server without application protocols ignores the list.
                if subject == .alpn, choice == nil { left[.alpn] = nil }
                continue
            }
            add(name, to: subject, transport)
            left[subject]?.removeAll { $0 == name }
            found = true
        }
        return found
    }

    mutating func note(refusal: HandshakeFailure) {
        result.isOffered = result.isOffered ?? false
        if refusal.isEnd { end = end ?? refusal }
    }

    /// Takes back a refusal that was an end of the connection, for a server that has accepted nothing: it may be meant for the
    /// client, or come from something on the way.
    mutating func doubtRefusal() {
        guard result.isOffered == false, let end else { return }
        result.isOffered = nil
        for subject in SurveySubject.allCases { change(subject) { $0.isComplete = false } }
        stop =
            stop
            ?? Survey.Stop(
                part: version.rawValue, code: end.code.rawValue,
                message: "the server has accepted nothing, and \(end.message)", transport: first)
    }

    private mutating func add(_ name: String, to subject: SurveySubject, _ transport: any Transport) {
        let entry = Survey.Entry(name: name, transport: transport.name)
        result.isOffered = true
        change(subject) { if !$0.names.contains(name) { $0.accepted.append(entry) } }
    }

    mutating func change(_ subject: SurveySubject, _ change: (inout Survey.List) -> Void) {
        switch subject {
        case .cipherSuites: change(&result.cipherSuites)
        case .groups: change(&result.groups)
        case .signatureAlgorithms: change(&result.signatureAlgorithms)
        case .alpn: change(&alpn)
        }
    }
}
