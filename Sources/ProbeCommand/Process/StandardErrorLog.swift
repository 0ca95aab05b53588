import Logging
import ProbeKit
import Synchronization

/// The log as lines on standard error: `probe: debug certificate-pinning: …`.
struct StandardErrorLog: LogHandler {
    private static let chosen = Mutex<Logger.Level?>(.warning)

    /// The least level that is written; nil writes nothing.
    static var threshold: Logger.Level? {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    private let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level {
        // swift-log has no level above critical, so "none" is a check of its own.
        get { Self.threshold ?? .critical }
        set { Self.threshold = newValue }
    }

    private init(label: String) {
        self.label = label
    }

    /// Sends all logging of the process here; once.
    static func bootstrap() {
        LoggingSystem.bootstrap { StandardErrorLog(label: $0) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard Self.threshold != nil else { return }
        // Messages from other packages may quote peers too.
        Terminal.printError("probe: \(event.level) \(label): \(PrintableText.escape(event.message.description))")
    }
}
