/// An act of a man in the middle who has no keys, on one record between the server and its client, as data.
public struct LabTampering: Hashable, Sendable {
    /// A record of a connection.
    public enum Record: Hashable, Sendable {
        /// The client's first, with its ClientHello.
        case clientHello
        /// One of the server's, counted from zero: in TLS 1.2 ServerHello, Certificate and ServerKeyExchange have one each.
        case server(Int)
        /// The server's ChangeCipherSpec, which means nothing in TLS 1.3 (RFC 8446 section D.4).
        case cipherChange
        /// The server's first encrypted record: in TLS 1.2 its Finished, in TLS 1.3 everything up to it.
        case firstEncrypted
        /// The server's first record after the client's first data inside TLS.
        case firstResponse

        /// The server's first.
        public static let serverHello = server(0)
    }

    /// The change.
    public enum Act: Hashable, Sendable {
        /// Changes one bit of the record's body, counted from its start, or from its end if negative.
        case flip(bit: Int)
        /// Leaves the record out.
        case drop
        /// Sends the record twice.
        case replay
        /// Sends the record after a number of those that follow it.
        case delay(by: Int)
        /// Sends these bytes before the record.
        case inject([UInt8])
    }

    /// The record it acts on.
    public var record: Record
    /// The change.
    public var act: Act

    /// Creates an act on a record.
    public init(_ act: Act, on record: Record) {
        self.act = act
        self.record = record
    }
}
