import ProbePlatform
import SwiftASN1

extension Date {
    /// Reads a time of a certificate or a revocation list: UTCTime or GeneralizedTime, with seconds, in UTC and without a
    /// fraction (RFC 5280 section 4.1.2.5). The library reads fractions, and minutes of 61 seconds.
    init(certificateTime node: ASN1Node) throws {
        guard node.identifier == .utcTime else {
            try self.init(generalizedTime: node)
            return
        }
        try Self.requireSeconds(node, digits: 12)
        let time = try UTCTime(derEncoded: node)
        self.init(
            try GeneralizedTime(
                year: time.year, month: time.month, day: time.day, hours: time.hours, minutes: time.minutes,
                seconds: time.seconds, fractionalSeconds: 0))
    }

    /// Reads a time of an OCSP response, which is a GeneralizedTime of the same form (RFC 6960 section 4.2.2.1).
    init(generalizedTime node: ASN1Node) throws {
        try Self.requireSeconds(node, digits: 14)
        self.init(try GeneralizedTime(derEncoded: node))
    }

    private static func requireSeconds(_ node: ASN1Node, digits: Int) throws {
        guard case .primitive(let text) = node.content, text.count == digits + 1, text.last == UInt8(ascii: "Z"),
            text.dropLast().allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            text[text.startIndex + digits - 2] < UInt8(ascii: "6")
        else { throw ASN1Error.invalidASN1Object(reason: "a time is not in the one form that RFC 5280 has") }
    }

    private init(_ time: GeneralizedTime) {
        var components = DateComponents()
        (components.year, components.month, components.day) = (time.year, time.month, time.day)
        (components.hour, components.minute, components.second) = (time.hours, time.minutes, time.seconds)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        self = calendar.date(from: components) ?? .distantPast
    }
}
