import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun

/// The metrics that a rotation is watched by: the pins that match, those left over for the next key, and when they end.
enum PinMetrics {
    /// Adds the metrics of a check's pins, as one connection shows them.
    ///
    /// - Parameter backups: the pins of each group that its profile marks as backups; where it marks some, a pin that nothing
    ///   has and that is not marked is stale.
    static func add(
        _ check: Check, backups: [Set<Pin>], _ connection: ConnectionEvidence, to metrics: inout MetricSet
    ) {
        for (index, group) in check.advisedPins(seeing: connection).enumerated() {
            let number = "\(index + 1)"
            let chain = connection.indices(of: group.chain).enumerated().filter {
                group.position.includes(index: $0.offset)
            }
            let digests = chain.compactMap { depth, index in
                (try? connection.certificates[index].digests.get()).map { (depth: depth, digests: $0) }
            }
            let second = second(of: connection.instant)
            let marked = index < backups.count ? backups[index].intersection(group.pins) : []
            var (matching, waiting, expired) = (0, 0, 0)
            var acceptsNewKeys = false
            for pin in group.pins {
                if second > group.end(of: pin) ?? .distantFuture {
                    expired += 1
                } else if let depth = digests.first(where: { $0.digests[pin.kind] == pin.digest })?.depth {
                    matching += 1
                    acceptsNewKeys = acceptsNewKeys || depth > 0
                } else if marked.isEmpty || marked.contains(pin) {
                    waiting += 1
                }
            }
            // Below a pinned CA the next key is accepted, and no pin has to wait for it; nor in a set that is over.
            let isOver = expired > 0 && expired == group.pins.count
            let left = isOver || acceptsNewKeys && waiting == 0 ? nil : waiting
            let counts: [(state: String, count: Int?)] = [
                ("matching", matching), ("backup", left), ("expired", expired),
            ]
            for case (let state, let count?) in counts {
                metrics.add(
                    "probe_pins",
                    "The number of pins that match a certificate, that wait for the next key, and that are expired.",
                    [
                        "service": check.service, "transport": connection.transport.name, "group": number,
                        "state": state,
                    ], value: Double(count))
            }
        }
    }

    /// Adds when the pins of a check end, of a list for many names those of the leaf that was seen.
    ///
    /// An end that has passed would hide those to come, which `ExpiryNotice` reports alone: it is shown once no pin is left.
    static func addEnds(
        _ check: Check, seeing served: ConnectionEvidence?, at instant: Date, to metrics: inout MetricSet
    ) {
        for (index, group) in check.advisedPins(seeing: served).enumerated() {
            let number = "\(index + 1)"
            if let window = group.window {
                metrics.add(
                    "probe_transition_window_end_timestamp_seconds", "The end of the transition window, in Unix time.",
                    ["service": check.service, "group": number], value: window.end.timeIntervalSince1970)
            }
            let ends = group.pins.map { group.end(of: $0) }
            let known = ends.compactMap(\.self)
            let next = known.filter { $0 >= second(of: instant) }.min()
            if let last = next ?? (known.count == ends.count ? known.max() : nil) {
                metrics.add(
                    "probe_pins_expiry_timestamp_seconds",
                    "The earliest end to come among the pins, or the last one if all have ended, in Unix time.",
                    ["service": check.service, "group": number], value: last.timeIntervalSince1970)
            }
        }
    }

    /// Returns the second of an instant: the last one counts to its end, as it does for the verdict.
    private static func second(of instant: Date) -> Date {
        Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
    }
}

extension PinGroup {
    /// Returns the last instant at which a pin counts: its own or the group's, whichever is earlier; nil if it has neither.
    fileprivate func end(of pin: Pin) -> Date? { [expiry?.last, pinExpiries[pin]].compactMap(\.self).min() }
}
