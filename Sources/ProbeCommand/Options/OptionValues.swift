import ArgumentParser
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeProfiles
import ProbeRoots
import ProbeRun

// The types that options take, each with its reader.

extension DNSSECPolicy: OptionValue {}
extension TXTStrings: OptionValue {}
extension PinChain: OptionValue {}
extension PinKind: OptionValue {}
extension TrustMode: OptionValue {}
extension ServerDateMode: OptionValue {}
extension TrustQuestion.Purpose: OptionValue {}

extension Date: OptionValue {
    static func option(_ text: String) throws(InputError) -> Date { try RFC3339.parse(text) }
}

extension Endpoint: OptionValue {
    static func option(_ text: String) throws(InputError) -> Endpoint { try Endpoint(text) }
}

/// The place that is dialled instead of a target.
enum DialAddress: OptionValue {
    case endpoint(Endpoint)
    /// A socket of the file system.
    case socket(path: String)

    /// The most bytes that the address of a socket has room for.
    private static let longestPath = 107

    static func option(_ text: String) throws(InputError) -> DialAddress {
        guard text.hasPrefix("unix:") else { return .endpoint(try Endpoint(text, allowsZone: true)) }
        let path = String(text.dropFirst("unix:".count))
        guard (1...longestPath).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw InputError(
                "'\(text)' has a path of \(path.utf8.count) bytes", remedy: "a socket's path has 1 to \(longestPath)")
        }
        return .socket(path: path)
    }
}

/// The SHA-256 of a key, in any form of a pin that says so.
struct SPKIPin: OptionValue {
    let digest: PinDigest

    static func option(_ text: String) throws(InputError) -> SPKIPin {
        SPKIPin(digest: try PinText.key(text))
    }
}

extension StartTLS: OptionValue {
    static func option(_ text: String) throws(InputError) -> StartTLS { try StartTLS(text) }
}

extension ServerName: OptionValue {
    static func option(_ text: String) throws(InputError) -> ServerName { try ServerName(text) }
}

extension ModelName: OptionValue {
    static func option(_ text: String) throws(InputError) -> ModelName { try ModelName(text) }
}

extension DNSName: OptionValue {
    static func option(_ text: String) throws(InputError) -> DNSName { try DNSName(text) }
}

extension Duration: OptionValue {
    static func option(_ text: String) throws(InputError) -> Duration { try DurationText.parse(text) }
}

extension PinPosition: OptionValue {
    static func option(_ text: String) throws(InputError) -> PinPosition {
        guard let known = PinPosition(text) else {
            throw InputError("'\(text)' is unknown", remedy: "choose leaf, ca, any or first-N")
        }
        return known
    }

    /// Those without a number.
    static var completion: CompletionKind { .list([PinPosition.leaf, .ca, .any].map(\.description)) }
}

extension RootStoreName: OptionValue {
    static func option(_ text: String) throws(InputError) -> RootStoreName { try RootStoreName(text) }
}

extension TLSVersion: OptionValue {
    static func option(_ text: String) throws(InputError) -> TLSVersion {
        guard let version = TLSVersion(number: text) else {
            throw InputError("'\(text)' is not a version of TLS", remedy: "choose 1.0, 1.1, 1.2 or 1.3")
        }
        return version
    }

    static var completion: CompletionKind { .list(allCases.map(\.number)) }
}

extension ProfileFormat: OptionValue {
    static func option(_ text: String) throws(InputError) -> ProfileFormat {
        guard let format = ProfileFormat(rawValue: text) else {
            let known = allCases.map(\.rawValue)
            let hint = NearestWord.hint(for: text, among: known)
            throw InputError("'\(text)' is not a format", remedy: "\(hint)choose \(known.joined(separator: ", "))")
        }
        return format
    }
}

extension Emulation: OptionValue {
    /// Reads a client whose names can be judged without a profile.
    static func option(_ text: String) throws(InputError) -> Emulation {
        guard let client = Emulation(rawValue: text) ?? Emulation(alias: text) else {
            throw InputError("'\(text)' is unknown", remedy: "choose minvws")
        }
        guard client.readsNamesExactly else {
            throw InputError("\(text) is about services that share pins", remedy: "say emulate: \(text) in a profile")
        }
        return client
    }

    static var completion: CompletionKind { .list(allCases.filter(\.readsNamesExactly).map(\.rawValue)) }
}

/// The pins of one `--pin`.
struct PinArgument: OptionValue {
    let pins: [PinText]

    static func option(_ text: String) throws(InputError) -> PinArgument { PinArgument(pins: try PinText.parse(text)) }
}

/// The time that one target may take.
struct TimeLimit: OptionValue {
    /// The time where none is given; a survey has its own.
    static let usual = Duration.seconds(10)

    let duration: Duration

    static func option(_ text: String) throws(InputError) -> TimeLimit {
        guard let seconds = Double(decimal: text), seconds > 0, seconds <= 3600 else {
            throw InputError("'\(text)' is not a time to wait", remedy: "give seconds, more than 0 and at most 3600")
        }
        return TimeLimit(duration: .nanoseconds(Int64(seconds * 1e9)))
    }
}

/// The size of a UDP message to announce; nil announces none.
struct AnnouncedSize: OptionValue {
    let bytes: UInt16

    static func option(_ text: String) throws(InputError) -> AnnouncedSize {
        guard let bytes = UInt16(decimal: text), bytes == 0 || bytes >= 512 else {
            throw InputError("\(text) is not a UDP size", remedy: "give 512 to 65535, or 0 for no EDNS")
        }
        return AnnouncedSize(bytes: bytes)
    }
}

/// The name of an application protocol.
struct ProtocolName: OptionValue {
    let name: String

    static func option(_ text: String) throws(InputError) -> ProtocolName {
        guard (1...255).contains(text.utf8.count) else {
            throw InputError(
                "'\(InputError.quoting(text, limit: 40))' has no usable length",
                remedy: "a protocol has 1 to 255 bytes")
        }
        return ProtocolName(name: text)
    }
}

/// A day, or an instant of it.
struct ReleaseDate: OptionValue {
    let date: Date

    static func option(_ text: String) throws(InputError) -> ReleaseDate {
        let isDay = text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil
        do throws(InputError) {
            return ReleaseDate(date: try RFC3339.parse(isDay ? text + "T00:00:00Z" : text))
        } catch {
            throw InputError(error.message, remedy: "write a date, like 2026-07-27")
        }
    }
}
