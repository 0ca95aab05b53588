import ProbeDNS
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeRun
import ProbeTrust
import Subprocess

/// The changes for which a hook runs once: of one service in one round, of one kind and to one outcome. A server that is
/// down is one event, through however many backends that is seen.
struct HookEvent {
    /// At least one.
    private(set) var changes: [StatusChange]

    /// The events of a round, in the order of their first changes.
    static func events(of round: [StatusChange]) -> [HookEvent] {
        var events: [HookEvent] = []
        for change in round {
            if let index = events.firstIndex(where: { $0.covers(change) }) {
                events[index].changes.append(change)
            } else {
                events.append(HookEvent(changes: [change]))
            }
        }
        return events
    }

    private func covers(_ change: StatusChange) -> Bool {
        changes.allSatisfy {
            ($0.kind, $0.to, $0.subject.name, $0.subject.service)
                == (change.kind, change.to, change.subject.name, change.subject.service)
        }
    }

    /// Its subject: a name, without the backends.
    var subject: String { joined(\.subject.name) }

    /// The changes as JSON, one a line.
    var lines: String { changes.map { WatchLine($0).json + "\n" }.joined() }

    /// The same as variables; where the changes differ, the values are separated by commas.
    var environment: [Environment.Key: String?] {
        let values: [Environment.Key: String] = [
            "PROBE_TIME": joined { RFC3339.format($0.time) },
            "PROBE_KIND": joined(\.kind.rawValue),
            "PROBE_SUBJECT": subject,
            "PROBE_SERVICE": joined(\.subject.service),
            "PROBE_TRANSPORT": joined(\.subject.transport),
            "PROBE_RESOLVER": joined(\.subject.resolver),
            "PROBE_FROM": joined(\.from?.rawValue),
            "PROBE_OUTCOME": joined(\.to.rawValue),
            "PROBE_CODE": joined(\.finding?.code),
        ]
        // No value ends early, and each is there, empty where there is nothing to say.
        return values.mapValues { PrintableText.escape($0) }
    }

    private func joined(_ value: (StatusChange) -> String?) -> String {
        var values: [String] = []
        for case let value? in changes.map(value) where !values.contains(value) { values.append(value) }
        return values.joined(separator: ",")
    }
}
