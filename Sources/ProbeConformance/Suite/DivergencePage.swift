import ProbeKit

/// The known differences of the stacks and their reasons, as a page: written from the scenarios, which fail if one is
/// no longer true.
public enum DivergencePage: Sendable {
    /// Returns the page as Markdown.
    ///
    /// - Parameter exemptions: how backends from outside differ.
    public static func markdown(with exemptions: ConformanceExemptions = ConformanceExemptions()) -> String {
        """
        # Where the stacks differ

        Each row is a case of the suite in which at least one stack natively decides otherwise than the standards and the
        decisions of this project say; every other case has one outcome on all of them. The suite holds each stack to its
        row, and fails when a difference is gone. `probe conformance --divergences` writes this page. Sources by name are
        in [decisions.md](decisions.md), those by number in [requirements.md](requirements.md).

        ## TLS and trust

        \(tls(exemptions))

        ## DNS

        \(dns(exemptions))

        ## Signatures

        \(signatures(exemptions))

        """
    }

    private static func tls(_ exemptions: ConformanceExemptions) -> String {
        let scenarios = (TLSScenario.all + TLSScenario.divergences).map { $0.exempting(exemptions) }.filter {
            !$0.deviations.isEmpty
        }
        let rows = scenarios.sorted { $0.id < $1.id }.flatMap { scenario in
            scenario.deviations.sorted { $0.key < $1.key }.map { name, deviation in
                row([
                    "`\(scenario.id)`", scenario.sentence, scenario.source, "`\(scenario.expected.rawValue)`", name,
                    "`\(deviation.outcome.rawValue)\(deviation.code.map { ", \($0)" } ?? "")`", deviation.reason,
                ])
            }
        }
        return table(["case", "promise", "source", "decided", "stack", "its outcome", "because"], rows)
    }

    private static func dns(_ exemptions: ConformanceExemptions) -> String {
        let scenarios = DNSScenario.all.map { $0.exempting(exemptions) }.filter { !$0.exemptions.isEmpty }
        guard !scenarios.isEmpty else { return "No resolver differs in any case." }
        let rows = scenarios.sorted { $0.id < $1.id }.flatMap { scenario in
            scenario.exemptions.sorted { $0.key < $1.key }.map { name, exemption in
                row([
                    "`\(scenario.id)`", scenario.sentence, scenario.source, "`\(scenario.expected.rawValue)`", name,
                    "`\(exemption.outcomes.map(\.rawValue).sorted().joined(separator: ", "))`", exemption.reason,
                ])
            }
        }
        return table(["case", "promise", "source", "decided", "resolver", "its outcome", "because"], rows)
    }

    private static func signatures(_ exemptions: ConformanceExemptions) -> String {
        let scenarios = SignatureScenario.all.map { $0.exempting(exemptions) }.filter { !$0.deviations.isEmpty }
        let rows = scenarios.sorted { $0.id < $1.id }.flatMap { scenario in
            scenario.deviations.sorted { $0.key < $1.key }.map { name, deviation in
                row([
                    "`\(scenario.id)`", scenario.sentence, scenario.source,
                    "`\(scenario.expected?.rawValue ?? "valid")`",
                    name, "`\(deviation.cause?.rawValue ?? "valid")`", deviation.reason,
                ])
            }
        }
        return table(["case", "promise", "source", "decided", "validator", "its answer", "because"], rows)
    }

    private static func table(_ columns: [String], _ rows: [String]) -> String {
        ([row(columns), row(columns.map { _ in "---" })] + rows).joined(separator: "\n")
    }

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { PrintableText.replace(["|": "\\|"], in: $0) }.joined(separator: " | ") + " |"
    }
}
