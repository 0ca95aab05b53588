import ProbeKit

/// The query of one channel.
struct CAresOrder: Sendable {
    let name: DNSName
    let id: UInt16
    let ednsSize: UInt16?
    /// The one server to ask, once.
    let server: Endpoint
    /// The interface of a link-local server; 0 for any other.
    let scope: UInt32
    let deadline: Deadline
}
