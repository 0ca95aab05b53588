/// A DNS stack's own parse of a reply, compared with ours (decided: read-twice).
public enum NativeDNSReading: Hashable, Sendable {
    /// The stack parsed the reply.
    ///
    /// - Parameters:
    ///   - rcode: the response code, extended by the OPT record if there is one.
    ///   - records: the TXT records of class IN in the answer section, whatever their owner, each as its character-strings.
    ///     Those of other classes may be among them.
    case parsed(rcode: UInt16, records: [[[UInt8]]])
    /// The stack rejected the reply, with its own message.
    case unreadable(String)
    /// The stack was not given the reply, for a reason that does not count against it, so there is no second decoding.
    case notAsked(String)
}
