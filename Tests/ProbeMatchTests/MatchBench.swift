import Foundation
import ProbeKit
import ProbeLab
import ProbePins

@testable import ProbeMatch

/// Certificates in every form that a search reads, and what one by one gives.
struct MatchBench {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// Different certificates of different sizes.
    let certificates: [[UInt8]]
    /// The pins of three of them, one of each kind.
    let pins: [Pin]

    init(count: Int) throws {
        certificates = try (0..<count).map { number in
            try Self.pki.issue(
                .leaf("match-\(number)") { $0.dnsNames = (0...number % 9).map { "host-\(number)-\($0).test" } })
        }
        let digests = try certificates.map {
            try CertificateDigests(certificate: $0.span, digester: SwiftCryptoDigester())
        }
        pins = [
            Pin(kind: .spki, digest: digests[count / 2].spki), Pin(kind: .rawkey, digest: digests[count / 3].rawKey),
            Pin(kind: .cert, digest: digests[count - 1].cert),
        ]
    }

    /// The numbers, from 1, of the certificates that have a pin.
    var expected: [Int] {
        let index = PinIndex(pins)
        var numbers: [Int] = []
        for (position, der) in certificates.enumerated() {
            let kind = try? index.match(certificate: der.span, digester: SwiftCryptoDigester())
            if kind != nil { numbers.append(position + 1) }
        }
        return numbers
    }

    func pem(_ lineEnd: String = "\n") -> [UInt8] {
        let blocks = certificates.enumerated().map { number, der in
            let lines = Data(der).base64EncodedString(
                options: [.lineLength64Characters, .endLineWithLineFeed]
            ).split(separator: "\n")
            return (["subject: \(number)", "-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""])
                .joined(separator: lineEnd)
        }
        return Array(blocks.joined().utf8)
    }

    /// Blocks without anything between them, the last dashes of one perhaps the first of the next.
    func joinedPEM(sharingDashes: Bool = false) -> [UInt8] {
        let blocks = certificates.map { der in
            let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----"
        }
        let text = blocks.joined()
        return Array((sharingDashes ? text.replacing("----------", with: "-----") : text).utf8)
    }

    var der: [UInt8] { certificates.flatMap(\.self) }

    /// Lines as a scanner writes them.
    var jsonLines: [UInt8] {
        Array(
            certificates.map { der in
                let raw = Data(der).base64EncodedString()
                return
                    #"{"ip":"127.0.0.1","timestamp":"2026-01-02T03:04:05Z","data":{"tls":{"chain":[{"raw":"\#(raw)"}]}}}"#
                    + "\n"
            }.joined().utf8)
    }

    /// The lines of our own reports, which have digests.
    func digestLines() throws -> [UInt8] {
        Array(
            try certificates.map { der in
                let digests = try CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester())
                return
                    #"{"evidence":{"chain":[{"certSHA256":"\#(digests.cert.hex)","spkiSHA256":"\#(digests.spki.hex)","rawKeySHA256":"\#(digests.rawKey.hex)"}]}}"#
                    + "\n"
            }.joined().utf8)
    }

    /// An answer to get-entries, every third entry a precertificate.
    func entries(pretty: Bool) -> [UInt8] {
        let entries = certificates.enumerated().map { number, der in
            let isPre = number % 3 == 2
            let time = Self.number(UInt64(1_700_000_000_000 + number), 8)
            let signed: [UInt8] =
                isPre ? [UInt8](repeating: 7, count: 32) + Self.vector([1, 2, 3], 3) : Self.vector(der, 3)
            let leaf: [UInt8] = [0, 0] + time + [0, isPre ? 1 : 0] + signed + [0, 0]
            let extra: [UInt8] = isPre ? Self.vector(der, 3) + Self.vector([], 3) : Self.vector([], 3)
            return ["leaf_input": Data(leaf).base64EncodedString(), "extra_data": Data(extra).base64EncodedString()]
        }
        let data = try? JSONSerialization.data(
            withJSONObject: ["entries": entries], options: pretty ? [.prettyPrinted, .sortedKeys] : [.sortedKeys])
        return Array(data ?? Data())
    }

    /// A data tile, every third entry a precertificate.
    var tile: [UInt8] {
        certificates.enumerated().flatMap { number, der in
            let isPre = number % 3 == 2
            let time = Self.number(UInt64(1_700_000_000_000 + number), 8)
            let signed: [UInt8] =
                isPre ? [UInt8](repeating: 7, count: 32) + Self.vector([1, 2, 3], 3) : Self.vector(der, 3)
            let rest: [UInt8] =
                [0, 0] + (isPre ? Self.vector(der, 3) : []) + Self.vector([UInt8](repeating: 9, count: 64), 2)
            return time + [0, isPre ? 1 : 0] + signed + rest
        }
    }

    private static func number(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    static func vector(_ bytes: [UInt8], _ size: Int) -> [UInt8] { number(UInt64(bytes.count), size) + bytes }
}

/// A folder of its own for a test's files.
final class MatchFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "probe-match-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}

/// The events of a search.
struct Searched {
    var found: [FoundCertificate] = []
    var unreadable: [UnreadableInput] = []
    var tally: SearchTally?
    /// The error that ended it, or else the first fault of an input.
    var error: InputError?

    init(_ inputs: [String], _ pins: [Pin], width: Int? = nil) async {
        do {
            tally = try await PinSearch(pins, width: width).run(inputs) { event in
                switch event {
                case .found(let certificate): found.append(certificate)
                case .unreadable(let place): unreadable.append(place)
                case .unfinished(let fault): error = error ?? fault
                case .reached: break
                }
            }
        } catch {
            self.error = error as? InputError
        }
    }
}
