/// A file's status, as stat(2) and its kin report it: the type `stat` has other owners beside a library that brings a C module.
package struct FileStatus: Sendable {
    /// True for a file, and not for a folder, a link, a device or a pipe.
    package let isFile: Bool
    /// True for a folder.
    package let isFolder: Bool
    /// True if nobody but this user and the superuser can write to the file.
    package let isOurs: Bool
    /// The number of the user that the file belongs to.
    package let owner: UInt32
    /// The number of the group that the file belongs to.
    package let group: UInt32
    /// The permissions of owner, group and others, without the bits that give a program its owner's rights (chmod(2)).
    package let permissions: UInt32
    /// The size in bytes.
    package let size: Int
    /// The number of names that it has; 0 for an open file that was removed.
    package let links: Int
    /// The identity of the file, whatever its path.
    package let identity: Identity

    /// The volume of a file, and its number there.
    package struct Identity: Hashable, Sendable {
        let volume: UInt64
        let number: UInt64
    }

    /// Reads the status of the file itself, not of a link's target; nil if there is none.
    package init?(of path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of what a path leads to, links followed; nil if there is nothing.
    package init?(at path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of an open file; nil if the descriptor is closed.
    package init?(descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        isFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isOurs = status.st_mode & 0o022 == 0 && [0, geteuid()].contains(status.st_uid)
        owner = status.st_uid
        group = status.st_gid
        permissions = UInt32(status.st_mode & 0o777)
        size = Int(status.st_size)
        links = Int(status.st_nlink)
        identity = Identity(volume: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
