import ProbeKit
import ProbeReport
import ProbeSurvey

/// A survey as text.
struct SurveyText {
    let style: Style
    let columns: Int

    /// The width of the column of labels.
    private static let margin = 18

    func text(_ survey: Survey) -> String {
        let address = survey.address.map { "  \($0)" } ?? ""
        var lines = [
            style.bold(survey.target) + address,
            "\(survey.handshakes.counted("handshake")) of at most \(survey.maximum)"
                + (survey.isComplete ? "" : ", not complete"),
        ]
        for version in survey.versions { lines += [""] + self.lines(version, of: survey) }
        if let refusal = survey.refusal, !survey.versions.contains(where: { $0.isOffered == true }) {
            lines += [""] + wrapped("refused with", refusal.message)
        }
        lines += [""] + row("ALPN", survey.alpn)
        let suites = Set(survey.versions.flatMap(\.cipherSuites.notAsked)).count
        let rest = suites == 0 ? [] : ["\(suites) cipher suites, which --format json names"]
        lines += [""] + wrapped("not asked", survey.notAsked.joined(separator: ", "))
        lines += rest.flatMap { wrapped("", $0) }
        lines += survey.leftOut.flatMap { wrapped("left out", $0) }
        for stop in survey.stops {
            let stack = stop.transport.map { " (\($0))" } ?? ""
            lines += wrapped("stopped", "\(stop.part): \(stop.message)\(stack)")
        }
        if let fix = fix(survey) { lines += wrapped("fix", fix) }
        return lines.joined(separator: "\n")
    }

    private func fix(_ survey: Survey) -> String? {
        if survey.stops.contains(where: { $0.code == "handshakes-used-up" }) {
            return "allow more with --handshakes \(survey.maximum * 2)"
        }
        return survey.stops.contains { $0.code == "time-used-up" } ? "allow more time with --timeout" : nil
    }

    private func lines(_ version: Survey.Version, of survey: Survey) -> [String] {
        let words =
            switch version.isOffered {
            case true?: "offered" + (version.order.map { "; \(Self.words($0))" } ?? "")
            case false?: "refused"
            case nil: "not known"
            }
        var lines = [Self.padded(version.version.rawValue, to: Self.margin) + words]
        guard version.isOffered == true else { return lines }
        lines += row("  cipher suites", version.cipherSuites)
        guard version.version >= .tls12 else { return lines }
        lines += row("  groups", version.groups) + row("  signatures", version.signatureAlgorithms)
        let unknown = survey.wantsClientCertificate ? "not known: it wants a client certificate" : "not asked"
        let tickets = version.sessionTickets.map { $0 ? "yes" : "none" } ?? unknown
        return lines + wrapped("  session tickets", tickets)
    }

    private static func words(_ order: Survey.Order) -> String {
        switch order {
        case .server: "the server's order of cipher suites decides"
        case .client: "the client's order of cipher suites decides"
        default: "neither side's order of cipher suites alone decides"
        }
    }

    private func row(_ label: String, _ list: Survey.List) -> [String] {
        let names = list.names.isEmpty ? ["none"] : list.names
        return wrapped(label, (names + (list.isComplete ? [] : ["(not complete)"])).joined(separator: " "))
    }

    private func wrapped(_ label: String, _ text: String) -> [String] {
        TextWrap(columns: columns).lines(Self.padded(label, to: Self.margin) + text, hanging: Self.margin)
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
