public import ProbeKit

/// The certificates of a root store on one day, and where they were read.
public struct RootSnapshot: Sendable {
    /// The store, like `mozilla`.
    public let store: String
    /// The day, like `2021-05-30`.
    public let day: String
    /// The package or the file that the certificates were read from.
    public let origin: String
    /// The licence of that package; empty for a file of the user's.
    public let licence: String
    /// The certificates as DER.
    public let certificates: [[UInt8]]

    /// The store and the day, as `--roots` takes them.
    public var name: String { "\(store)@\(day)" }

    /// The certificates as anchors: like the system's, since a root store is one.
    public var anchors: TrustAnchors { TrustAnchors(name: name, certificates: certificates, isSystem: true) }
}

/// The heading of a snapshot, without its certificates.
public struct RootSnapshotHeading: Hashable, Sendable {
    /// The store, like `mozilla`.
    public let store: String
    /// The day, like `2021-05-30`.
    public let day: String
    /// The licence of the package it was read from; empty for a file of the user's.
    public let licence: String
    /// The package or the file.
    public let origin: String
}
