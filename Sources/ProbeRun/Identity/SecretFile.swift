public import ProbeKit
import ProbePlatform

/// Reads secrets from files that only their owner can access (requirements 67, 68).
public enum SecretFile: Sendable {
    /// The maximum size of a secret, in bytes.
    public static let maximumBytes = 64 * 1024

    /// Returns a file's content.
    ///
    /// - Throws: `InputError` if the file can't be read, is not a regular file, belongs to another user, is
    ///   accessible to group or others, is empty or too large. The group may read a credential of systemd. The opened file is checked, so it can't be replaced in
    ///   between.
    public static func read(_ path: String) throws(InputError) -> Secret {
        try read(path, alternative: "")
    }

    static func read(_ path: String, alternative: String) throws(InputError) -> Secret {
        let credentials = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        return try read(path, credentials: credentials, alternative: alternative)
    }

    /// Returns a file's content.
    ///
    /// - Parameters:
    ///   - credentials: the folder in which the service manager keeps the service's secrets; nil if there is none.
    ///   - alternative: the end of the fix for a file that others may read.
    package static func read(
        _ path: String, credentials: String?, alternative: String = ""
    ) throws(InputError) -> Secret {
        guard path != "-" else {
            throw InputError(
                "- can't be read: no secret is taken from standard input", remedy: "name a file of mode 600")
        }
        guard !path.isEmpty else {
            throw refuse("the name of a secret's file is empty", "check the variable that it comes from")
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw refuse("\(path) can't be read", "check that the file exists and you may read it")
        }
        defer { close(descriptor) }
        let isCredential = credentials.map { isFile(path, in: $0) } ?? false
        let size = try checkedSize(of: descriptor, path, isCredential: isCredential, alternative)
        // One byte more shows a file that grew.
        let secret = unsafe try Secret(capacity: size + 1) { room throws(InputError) in
            var count = 0
            while count < room.count {
                let got = unsafe ProbePlatform.read(
                    descriptor, room.baseAddress.map { unsafe $0 + count }, room.count - count)
                if got == 0 { break }
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw refuse("\(path) can't be read", "check the file") }
                count += got
            }
            return count
        }
        guard (1...size).contains(secret.count) else {
            throw refuse("\(path) changed while it was read", "write it once, then name it")
        }
        return secret
    }

    private static func isFile(_ path: String, in folder: String) -> Bool {
        guard folder.hasPrefix("/"), folder != "/" else { return false }
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) && !path.dropFirst(prefix.count).contains("/")
    }

    private static func checkedSize(
        of descriptor: CInt, _ path: String, isCredential: Bool, _ alternative: String
    ) throws(InputError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refuse("\(path) is not a regular file", "keep the secret in a file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw refuse("\(path) belongs to somebody else", "keep the secret in a file of your own")
        }
        // systemd lets a service's user read its credentials by an access list, whose mask is in the bits of the group.
        let refused: mode_t = isCredential ? 0o037 : 0o077
        guard status.st_mode & refused == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refuse(
                "\(path) has mode \(mode): others may reach the secret in it", "chmod 600 \(path)\(alternative)")
        }
        guard status.st_size > 0 else { throw refuse("\(path) is empty", "write the secret to it") }
        guard status.st_size <= maximumBytes else {
            throw refuse("\(path) has \(status.st_size) bytes", "a secret has at most \(maximumBytes)")
        }
        return Int(status.st_size)
    }

    private static func refuse(_ message: String, _ remedy: String) -> InputError {
        InputError(message, remedy: remedy, source: .file)
    }
}
