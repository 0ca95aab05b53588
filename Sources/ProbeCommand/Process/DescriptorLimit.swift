import ProbeKit
import ProbePlatform

/// The limit on the process's open descriptors.
enum DescriptorLimit {
    /// The number of descriptors for everything but connections.
    private static let others = 128

    /// The message where there are too few for the libraries alone, some of which end the process when they get none; nil
    /// if there are enough.
    static var shortage: String? {
        let limit = raised(to: others)
        guard limit < others else { return nil }
        return "the process may have \(limit) files open, and needs \(others)\n  fix: raise the limit with ulimit -n"
    }

    /// Raises the limit as far as permitted and useful.
    ///
    /// - Parameter wanted: the number of connections wanted at once.
    /// - Returns: the number that is possible.
    static func raise(forConnections wanted: Int) -> Int {
        min(wanted, raised(to: wanted + others) - others)
    }

    /// Returns the limit that leaves room for a number of connections.
    static func limit(forConnections wanted: Int) -> Int { wanted + others }

    /// Returns the limit, once it was raised as far as may be.
    private static func raised(to needed: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(Platform.openFiles, &limit) == 0 else { return needed }
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, rlim_t(needed))
            _ = unsafe setrlimit(Platform.openFiles, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }
}
