import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeTestSupport
import Testing

/// Twelve times the entries take about twelve times the work, whatever the format; a loop over all entries for each
/// would take far more.
///
/// The work is the thread's own time on a processor, so that other load does not count.
@Suite(.bounded, .serialized) struct LinearReadingTests {
    private static let small = 250
    private static let factor = 12

    private static func pin(_ index: Int) -> String { PinDigest.sha256(of: Array("\(index)".utf8)).base64 }

    private static func hex(_ index: Int) -> String { PinDigest.sha256(of: Array("\(index)".utf8)).hex }

    private static func text(_ form: String, _ count: Int) -> String {
        func lines(_ line: (Int) -> String) -> String { (0..<count).map(line).joined(separator: "\n") }
        switch form {
        case "android":
            return "<network-security-config>"
                + lines {
                    "<domain-config><domain includeSubdomains=\"true\">h\($0).a.test</domain><pin-set><pin digest=\"SHA-256\">\(pin($0))</pin></pin-set></domain-config>"
                } + "</network-security-config>"
        case "apple":
            return Samples.plist(
                "<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>"
                    + lines {
                        "<key>h\($0).a.test</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(pin($0))</string></dict></array></dict>"
                    } + "</dict></dict>")
        case "trustkit":
            return Samples.plist(
                "<key>TSKPinnedDomains</key><dict>"
                    + lines {
                        "<key>h\($0).a.test</key><dict><key>TSKPublicKeyHashes</key><array><string>\(pin($0))</string><string>\(pin($0 + 1))</string></array></dict>"
                    } + "</dict>")
        case "trustkit swift":
            return "let c = [kTSKPinnedDomains: ["
                + lines { "\"h\($0).a.test\": [kTSKPublicKeyHashes: [\"\(pin($0))\", \"\(pin($0 + 1))\"]]," } + "]]"
        case "okhttp lines": return lines { "h\($0).a.test sha256/\(pin($0))" }
        case "okhttp one host": return lines { "a.test sha256/\(pin($0))" }
        case "okhttp chain":
            return "CertificatePinner.Builder()\n" + lines { ".add(\"h\($0).a.test\", \"sha256/\(pin($0))\")" }
        case "okhttp apply":
            return "CertificatePinner.Builder().apply {\n" + lines { "add(\"h\($0).a.test\", \"sha256/\(pin($0))\")" }
                + "\n}"
        case "okhttp constants":
            return lines { "const val H\($0) = \"h\($0).a.test\"\nb.add(H\($0), \"sha256/\(pin($0))\")" }
        case "okhttp functions":
            return lines {
                "fun f\($0)(h\($0): String) { for ((a, c) in d) { e -> (g) }; b.add(\"h\($0).a.test\", \"sha256/\(pin($0))\") }"
            }
        case "okhttp labels":
            return String(repeating: "a:", count: count * 20) + " b\n"
                + lines { "b.add(\"h\($0).a.test\", \"sha256/\(pin($0))\")" }
        case "okhttp bindings":
            return "val H = \"a.test\"\n"
                + lines { "fun f\($0)(H: String) { log(H) }\nb.add(H, \"sha256/\(pin($0))\")" }
        case "okhttp blocks":
            // A block is searched once for each that it is in, and brackets nest only 256 deep.
            return "val x = arrayOf(\"sha256/\(pin(count))\")\n" + String(repeating: "x.let {", count: 40)
                + lines { "log(\($0));" } + String(repeating: "}", count: 40) + "\nb.add(\"a.test\", *x)\n"
                + lines { "b.add(\"a.test\", \"sha256/\(pin($0))\")" }
        case "okhttp objects":
            return "val H = \"a.test\"\nopen class B { val H = \"a.test\" }\n"
                + lines {
                    "object O\($0) : B() { const val P = \"sha256/\(pin($0))\" }\nclass C\($0) : B() { fun f() { b.add(H, O\($0).P) } }"
                }
        case "okhttp locals":
            return lines {
                "fun f\($0)() { val h = \"h\($0).a.test\"; b.add(h, \"sha256/\(pin($0))\") }\nfun g\($0)() { x.let { h -> log(h) } }"
            }
        case "hpkp": return lines { "pin-sha256=\"\(pin($0))\"" }
        case "curl": return (0..<count).map { "sha256//\(pin($0))" }.joined(separator: ";")
        case "hex": return lines { "spki:sha256:\(hex($0))" }
        case "spki-b64": return lines(pin)
        case "tlsa": return lines { "_443._tcp.h\($0).a.test. IN TLSA 1 1 1 \(hex($0))" }
        default:
            return "{\"fingerprints\": ["
                + (0..<count).map {
                    "{\"name\": \"h\($0).a.test\", \"fingerprint\": \"\(pin($0))\", \"expires\": 1893456000}"
                }
                .joined(separator: ",") + "]}"
        }
    }

    @Test(
        "[R72] reading and converting take time in proportion",
        arguments: [
            ("android", .android, .apple), ("apple", .apple, .android), ("trustkit", .trustkit, .android),
            ("trustkit swift", .trustkit, .okhttp), ("okhttp lines", .okhttp, .android),
            ("okhttp one host", .okhttp, .hpkp), ("okhttp chain", .okhttp, .trustkit), ("okhttp apply", .okhttp, .tlsa),
            ("okhttp constants", .okhttp, .okhttp), ("okhttp functions", .okhttp, .okhttp),
            ("okhttp labels", .okhttp, .okhttp), ("okhttp bindings", .okhttp, .okhttp),
            ("okhttp blocks", .okhttp, .okhttp), ("okhttp objects", .okhttp, .okhttp),
            ("okhttp locals", .okhttp, .okhttp),
            ("hpkp", .hpkp, .spkiBase64), ("curl", .curl, .hex),
            ("hex", .hex, .curl), ("spki-b64", .spkiBase64, .hex), ("tlsa", .tlsa, .okhttp),
            ("wultra", .wultra, .wultra),
        ] as [(String, ProfileFormat, ProfileFormat)])
    func proportion(form: String, format: ProfileFormat, target: ProfileFormat) throws {
        func run(_ count: Int) throws -> Duration {
            let bytes = Array(Self.text(form, count).utf8)
            return try Stopwatch.processorTime {
                let imported = try format.read(bytes, FormatContext(path: "f"))
                let pins = imported.profile.pinnedPins
                #expect(pins >= count)
                // Formats with one set of pins refuse many hosts, and that is as good here.
                _ = try? target.write(imported.profile)
            }
        }
        try Self.expectProportion(form, run)
    }

    @Test("so does linting, though rules are weighed against each other") func linting() throws {
        try Self.expectProportion("lint") { count in
            let hosts: [HostRule] = try (0..<count).flatMap { index in
                let set = PinSet(
                    [PinSet.Member(Pin(kind: .spki, digest: .sha256(of: Array("\(index)".utf8))))], position: .any)
                return [
                    try HostRule(pattern: "h\(index).a.test", semantics: .android, pins: [set]),
                    try HostRule(pattern: "*.h\(index).a.test", semantics: .okhttp, pins: [set]),
                ]
            }
            let lint = ProfileLint(Profile(unlistedHost: .system, hosts: hosts))
            let instant = try RFC3339.parse(Linted.now)
            return Stopwatch.processorTime { #expect(!lint.findings(at: instant).isEmpty) }
        }
    }

    private static func expectProportion(_ form: String, _ run: (Int) throws -> Duration) rethrows {
        let base = try run(small)
        let limit = base * 20 + .milliseconds(50)
        var more = try run(factor * small)
        // What shares the processor makes one run slower, and not each of three.
        for _ in 0..<2 where more >= limit { more = min(more, try run(factor * small)) }
        #expect(more < limit, "\(form): \(small) took \(base), \(factor) times as many \(more)")
    }
}

extension Profile {
    /// The number of all pins.
    fileprivate var pinnedPins: Int {
        let sets = pins + hosts.flatMap(\.pins) + environments.flatMap(\.services).flatMap(\.pins)
        return sets.reduce(0) { $0 + $1.members.count }
    }
}
