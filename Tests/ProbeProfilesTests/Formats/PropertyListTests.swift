import Foundation
import ProbeKit
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Binary property lists, as apps ship them; and parts of an Info.plist that no system reads.
@Suite(.bounded) struct PropertyListTests {
    /// Returns the same list in the binary form, made by Foundation.
    private static func binary(_ text: String) throws -> [UInt8] {
        let list = try PropertyListDecoder().decode(Plist.self, from: Data(text.utf8))
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return Array(try encoder.encode(list))
    }

    @Test(
        "the binary form is what the text is",
        arguments: [(.apple, Samples.apple), (.trustkit, Samples.trustKit)] as [(ProfileFormat, String)])
    func binaryForm(format: ProfileFormat, text: String) throws {
        let bytes = try Self.binary(text)
        #expect(ProfileFormat.detect(bytes) == format)
        let context = FormatContext(path: "Info.plist")
        #expect(try format.read(bytes, context) == format.read(Array(text.utf8), context))
        for index in bytes.indices {
            for byte in [0, 0x0f, 0xff, bytes[index] ^ 0x10] as [UInt8] {
                var broken = bytes
                broken[index] = byte
                do throws(InputError) {
                    _ = try format.read(broken, context)
                } catch {
                    #expect(error.message.hasPrefix("Info.plist"))
                }
            }
            #expect(throws: InputError.self) { try format.read(Array(bytes[..<index]), context) }
        }
    }

    /// Objects that are used repeatedly: 60 bytes that expand to 10 to the 19 values.
    @Test(.bounded, arguments: [2, 9]) func bombs(width: Int) throws {
        // Object 0 is {NSPinnedDomains: object 2}; each array after it holds the next one many times.
        var objects: [[UInt8]] = [[0xd1, 1, 2], [0x5f, 0x10, 15] + Array("NSPinnedDomains".utf8)]
        for index in 2..<40 {
            objects.append([0xa0 | UInt8(width)] + [UInt8](repeating: UInt8(index + 1), count: width))
        }
        objects.append([0x09])
        try Self.expectBounded(objects)
        // One that holds itself.
        try Self.expectBounded([[0xd1, 1, 2], [0x51, 0x61], [0xa1, 2]])
    }

    private static func expectBounded(_ objects: [[UInt8]]) throws {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
            bytes += object
        }
        let table = bytes.count
        func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(value >> (8 * $0) & 0xff) } }
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(objects.count) + number(0) + number(table)
        let error = try #require(throws: InputError.self) {
            try ProfileFormat.apple.read(bytes, FormatContext(path: "f"))
        }
        #expect(error.message.contains("too many values"), "\(error.message)")
    }

    private static let pins =
        "<key>NSPinnedDomains</key><dict><key>a.test</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(Samples.one)</string></dict></array></dict></dict>"

    @Test("[R52] pins where no system looks are a finding")
    func outsideOfTransportSecurity() throws {
        func warnings(_ body: String) throws -> [String] {
            try ProfileFormat.apple.read(Array(Samples.plist(body).utf8), FormatContext(path: "f")).notes
                .filter { $0.severity == .warning }.map(\.code)
        }
        #expect(try warnings("<key>NSAppTransportSecurity</key><dict>\(Self.pins)</dict>") == [])
        #expect(try warnings(Self.pins) == ["not-effective"])
        #expect(
            try warnings(
                "<key>NSAppTransportSecurity</key><dict><key>NSAllowsLocalNetworking</key><true/></dict>\(Self.pins)")
                == ["not-effective"])
        let both = Self.pins.replacing("a.test", with: "b.test")
        #expect(try warnings("<key>NSAppTransportSecurity</key><dict>\(Self.pins)</dict>\(both)") == ["not-effective"])
    }

    @Test(arguments: [
        "<plist/>", "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
        "<plist><dict><key>a</key><b/></dict></plist>", "<plist><dict/><dict/></plist>", "<plist><array/></plist>",
    ])
    func brokenText(text: String) {
        #expect(throws: InputError.self) { try ProfileFormat.apple.read(Array(text.utf8), FormatContext(path: "f")) }
    }
}

/// A property list of the kinds that the samples hold.
private enum Plist: Codable {
    case flag(Bool)
    case text(String)
    case list([Plist])
    case dictionary([String: Plist])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([Plist].self) {
            self = .list(list)
        } else {
            self = .dictionary(try container.decode([String: Plist].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .dictionary(let values): try container.encode(values)
        }
    }
}
