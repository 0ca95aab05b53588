import Dispatch
import ProbeKit
import ProbeScan
import Synchronization

/// The end of a scan: its manifest, written once, when the list is done or a while after a signal, whatever hangs then.
final class ScanEnding: Sendable {
    private let seal: @Sendable () -> ScanRun.Result
    private let slots: ScanSlots
    private let output: LineOutput
    private let writesManifest: Bool
    private let manifest: @Sendable (ScanRun.Result) -> String
    private let queue = DispatchQueue(label: "probe.ending")
    private let state = Mutex((isWritten: false, signal: Int32?.none))

    /// The time for what is under way after the first signal. With the output's patience it stays below two seconds.
    private static let patience = DispatchTimeInterval.milliseconds(1400)

    /// - Parameters:
    ///   - seal: ends the run, so that nothing is written after it, and returns its result.
    ///   - writesManifest: false if the output has no room for one.
    ///   - manifest: the manifest's line for what the scan came to.
    init(
        sealing seal: @escaping @Sendable () -> ScanRun.Result, _ slots: ScanSlots, to output: LineOutput,
        writesManifest: Bool = true,
        manifest: @escaping @Sendable (ScanRun.Result) -> String
    ) {
        self.seal = seal
        self.slots = slots
        self.output = output
        self.manifest = manifest
        self.writesManifest = writesManifest
    }

    /// The first signal; nil if there was none.
    var signal: Int32? { state.withLock { $0.signal } }

    /// Lets nothing more begin after the first request to end, and ends the process a while later at most; a second one
    /// ends it at once.
    func interrupt(_ signal: Int32, _ count: Int) {
        guard count == 1 else { output.end(128 + (self.signal ?? signal)) }
        state.withLock { $0.signal = signal }
        slots.close()
        queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
            // The manifest may be waiting for who keeps the output: it is waited for no longer.
            guard isFirst() else { output.end(128 + signal) }
            let line = manifest(seal())
            if writesManifest { output.enqueue([line]) }
            output.end(128 + signal)
        }
    }

    /// Writes the manifest, unless the process is about to end with it already; then this does not return.
    func write() async {
        while !isFirst() { try? await Task.sleep(for: .seconds(1)) }
        let line = manifest(seal())
        if writesManifest { await output.write([line]) }
        await output.finish()
    }

    private func isFirst() -> Bool {
        state.withLock { state in
            defer { state.isWritten = true }
            return !state.isWritten
        }
    }
}

extension ScanTally {
    /// The exit code: that of the outcome that decides, else of lines that could not be read.
    var exitCode: Int32 {
        let code = Outcome.deciding(among: frequent.map(\.outcome)).exitCode
        return code == 0 && malformed > 0 ? InputError.Source.file.exitCode : code
    }
}
