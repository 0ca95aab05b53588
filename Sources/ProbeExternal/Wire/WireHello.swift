import ProbeKit

/// The first request.
struct WireHello: Encodable {
    /// The version of the protocol.
    static let version = 1

    let `protocol` = WireHello.version
    let kind: ProgramKind
}

/// The reply to it, with the program's identity.
package struct WireHelloReply: Decodable {
    let `protocol`: Int
    let kind: ProgramKind?
    let name: String
    let library: String
    let version: String
    let capabilities: [String]

    /// Creates a substitute for the hello of a program that sends none.
    ///
    /// - Parameter capabilities: the assumed capabilities, so that it is used.
    init(ofUnusable name: String, kind: ProgramKind, capabilities: [String]) {
        `protocol` = WireHello.version
        self.kind = kind
        self.name = name
        library = "unknown"
        version = "unknown"
        self.capabilities = capabilities
    }

    /// Returns true if it is the same backend, in whatever order it lists its capabilities.
    func isSame(as other: WireHelloReply) -> Bool {
        (name, library, version) == (other.name, other.library, other.version)
            && Set(capabilities) == Set(other.capabilities)
    }

    private enum CodingKeys: CodingKey {
        case `protocol`, kind, name, library, version, capabilities
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        `protocol` = try container.decode(Int.self, forKey: .protocol)
        // The other fields of another version are not for us to read.
        guard `protocol` == WireHello.version else {
            throw ProgramFault(
                .wrongVersion, "it speaks version \(`protocol`) of the protocol, spoken here is \(WireHello.version)")
        }
        kind = try container.decodeIfPresent(ProgramKind.self, forKey: .kind)
        name = try container.decode(String.self, forKey: .name)
        library = try container.decode(String.self, forKey: .library)
        version = try container.decode(String.self, forKey: .version)
        capabilities = try container.decodeIfPresent([String].self, forKey: .capabilities) ?? []
    }

    /// Returns the same, if it matches the started program.
    func checked(kind: ProgramKind) throws -> WireHelloReply {
        guard self.kind == kind else { throw WireError("it is not a \(kind.rawValue)") }
        guard [name, library, version].allSatisfy({ !$0.isEmpty && $0.utf8.count <= 200 }), capabilities.count <= 100
        else { throw WireError("its name, library or version is empty or too long") }
        return self
    }

    var identity: BackendIdentity {
        BackendIdentity(
            name: name, library: PrintableText.escape(library), version: PrintableText.escape(version))
    }
}

/// The kind of backend that a program implements.
public enum ProgramKind: String, Sendable, Codable, CaseIterable {
    /// A TLS stack.
    case transport
    /// A DNS stack.
    case resolver

    /// The prefix of such programs' names.
    var prefix: String { "probe-\(rawValue)-" }
}

/// A protocol fault: the program did not reply correctly, and is restarted.
public struct ProgramFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of faults. The raw value is the native code of a failure and never changes meaning.
    public enum Code: String, Sendable, CaseIterable {
        /// It could not be started, or did not send hello in time.
        case notStarted = "program-not-started"
        /// It ended.
        case ended = "program-ended"
        /// It did not answer by the deadline and half a second of its own time.
        case hung = "program-hung"
        /// It wrote a line that is not a JSON object, or does not have the fields of its type.
        case garbled = "program-garbled"
        /// It wrote a line of more than ``ProgramLimits/lineBytes``.
        case lineTooLong = "program-line-too-long"
        /// It uses another version of the protocol.
        case wrongVersion = "program-wrong-version"
        /// It answered a question that was not asked.
        case unaskedReply = "program-unasked-reply"
        /// It reported that it can't answer this; the program continues.
        case refused = "program-refused"
    }

    /// The fault.
    public let code: Code
    /// A one-sentence message, with the end of the program's standard error.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = PrintableText.escape(message)
    }

    /// The result of a request whose task was cancelled.
    static let cancelled = ProgramFault(.refused, HandshakeFailure.cancelled.message)

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The failure of what the program was asked for.
    var handshakeFailure: HandshakeFailure {
        HandshakeFailure(.backendError, message, nativeCode: code.rawValue, cause: HandshakeFailure.Cause(silence))
    }

    /// The fault as the reason for a missing answer.
    var silence: TrustReading.Silence { code == .hung ? .programHung : .programFault }

    /// Returns the same with the end of the program's standard error.
    func with(errors tail: String) -> ProgramFault {
        tail.isEmpty ? self : ProgramFault(code, "\(message); it wrote: \(tail)")
    }
}
