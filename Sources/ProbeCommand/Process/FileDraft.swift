import ProbePlatform

/// A whole file beside the one that it is to replace, with that one's permissions, and with its owner and group as far as this user
/// may set them.
///
/// It has all of that before it has its name. A process that is killed would leave a file that more people may read otherwise;
/// and in a folder that others may write to, a path may lead to somebody else's file at any moment, which would get them.
struct FileDraft {
    /// The number of the system's error.
    struct Failure: Error {
        let code: CInt
    }

    let path: String
    private let place: String

    /// Writes the draft.
    ///
    /// - Parameters:
    ///   - place: the path of the file itself, and not of a link to it.
    ///   - folder: the folder that it is in.
    init(_ bytes: [UInt8], replacing place: String, in folder: String) throws(Failure) {
        // A link or a device that was put there since it was looked at has no permissions to be kept.
        let old = FileStatus(of: place).flatMap { $0.isFile ? $0 : nil }
        self.place = place
        path = "\(folder)/.probe-\(UUID())"
        // The umask decides on a file that is new (open(2)).
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        do throws(Failure) {
            try Self.fill(descriptor, with: bytes)
            if let old { try Self.adopt(old, descriptor) }
        } catch {
            remove()
            throw error
        }
    }

    /// Moves it to its place.
    func move() throws(Failure) {
        guard unsafe rename(path, place) == 0 else {
            let failure = Failure(code: errno)
            remove()
            throw failure
        }
    }

    private func remove() { unsafe unlink(path) }

    private static func fill(_ descriptor: CInt, with bytes: [UInt8]) throws(Failure) {
        do throws(WholeWrite.Failure) {
            try WholeWrite.write(bytes, to: descriptor)
        } catch {
            throw Failure(code: error.code)
        }
        // A disk may find out only now that it is full. Some file systems have nothing to wait for (fsync(2)).
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Failure(code: errno) }
    }

    /// Gives the open file the owner and the group of the old one: one that only its owner may read would be lost to them when
    /// root writes it. A user other than root can choose only among the own groups, and owns what they write.
    private static func adopt(_ old: FileStatus, _ descriptor: CInt) throws(Failure) {
        // The largest number leaves the owner as it is (chown(2)).
        if fchown(descriptor, old.owner, old.group) != 0 { _ = fchown(descriptor, .max, old.group) }
        guard fchmod(descriptor, mode_t(old.permissions)) == 0 else { throw Failure(code: errno) }
    }
}
