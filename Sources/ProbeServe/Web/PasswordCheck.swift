import CProbeCrypt
import NIOPosix
import ProbeKit
import ProbePins
import Synchronization

/// Compares users' passwords with their bcrypt hashes. That takes a tenth of a second on purpose, so that it runs on threads for
/// blocking work, and what was right once is remembered by its digest.
final class PasswordCheck: Sendable {
    /// The longest password that bcrypt reads to its end.
    private static let longest = 72
    private static let remembered = 100

    private let users: [String: String]
    private let known = Mutex<Set<PinDigest>>([])

    init(_ users: [String: String]) {
        self.users = users
    }

    /// Returns true if a user has a password. A user that there is not takes as long.
    func accepts(_ user: String, _ password: String) async -> Bool {
        guard let hash = users[user] ?? users.values.first, password.utf8.count <= Self.longest,
            !password.utf8.contains(0)
        else { return false }
        let digest = PinDigest.sha256(of: Array("\(user.utf8.count):\(user)\(hash)\(password)".utf8))
        if known.withLock({ $0.contains(digest) }) { return true }
        let matches = try? await NIOThreadPool.singleton.runIfActive {
            unsafe cprobe_crypt_matches(password, hash) == 1
        }
        guard matches == true, users[user] != nil else { return false }
        known.withLock { known in
            if known.count >= Self.remembered { known.removeAll() }
            known.insert(digest)
        }
        return true
    }
}
