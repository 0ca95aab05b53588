import Glibc
import ProbeKit

/// How many descriptors the process may have open.
enum DescriptorLimit {
    /// What everything but connections needs.
    private static let others = 128

    /// Raises the limit as far as it may be and is of use.
    ///
    /// - Parameter wanted: how many connections there may be at once.
    /// - Returns: how many there can be.
    static func raise(forConnections wanted: Int) -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + others)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return min(wanted, Int(clamping: limit.rlim_cur) - others)
    }
}
