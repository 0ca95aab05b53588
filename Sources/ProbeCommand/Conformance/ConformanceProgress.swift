import ProbeConformance
import ProbeKit
import Synchronization

/// A progress line: how much of the suite is done, and how many cells are broken so far.
final class ConformanceProgress: Sendable {
    private let broken = Mutex(0)

    /// The callback after each cell; nil if standard error is not a terminal.
    static var onTerminal: (@Sendable (ConformanceSuite.Progress) async -> Void)? {
        guard Terminal.canShowProgress else { return nil }
        let progress = ConformanceProgress()
        return { Terminal.showProgress(progress.line($0)) }
    }

    /// Returns a line like `████████····  120/240  2 broken  gnutls  tls/pins/spki-leaf`, in less than 80 columns.
    func line(_ progress: ConformanceSuite.Progress) -> String {
        let count = broken.withLock { count in
            if progress.cell.failure != nil { count += 1 }
            return count
        }
        let width = 24
        let filled = progress.total == 0 ? width : width * progress.done / progress.total
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let parts = [
            bar, "\(progress.done)/\(progress.total)", count == 0 ? "" : "\(count) broken", progress.cell.backend,
            progress.id,
        ]
        return String(parts.filter { !$0.isEmpty }.joined(separator: "  ").prefix(79))
    }
}
