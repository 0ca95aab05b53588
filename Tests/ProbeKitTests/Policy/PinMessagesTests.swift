import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import Testing

/// The words of a match and a mismatch: how far was looked, what is pinned, and how wide a pin is.
@Suite struct PinMessagesTests {
    private let path: [[UInt8]]
    private let digests: [CertificateDigests]

    init() throws {
        path = try TestConnection.path()
        digests = try path.map { try CertificateDigests(certificate: $0.span, digester: SwiftCryptoDigester()) }
    }

    private func judge(_ group: PinGroup, isTrusted: Bool = true, path: [[UInt8]]? = nil) throws -> Finding {
        let evidence = TestConnection.evidence(path: path ?? self.path, isTrusted: isTrusted)
        return try #require(PinsMatch([group]).judge(evidence, at: TestConnection.pki.epoch).first)
    }

    private static func stranger(_ number: Int) -> Pin {
        Pin(kind: .spki, digest: .sha256(of: Array("\(number)".utf8)))
    }

    @Test(
        arguments: [
            (.leaf, .validated, "matches the leaf"), (.ca, .validated, "matches any CA certificate of the chain"),
            (.any, .validated, "matches any of the 3 certificates of the chain"),
            (.any, .presented, "matches any of the 2 certificates of the chain"),
            (.first(1), .validated, "matches the first certificate of the chain"),
            (.first(2), .validated, "matches the first 2 certificates of the chain"),
            (.first(9), .validated, "matches the first 3 certificates of the chain"),
        ] as [(PinPosition, PinChain, String)])
    func howFarWasLooked(position: PinPosition, chain: PinChain, words: String) throws {
        let finding = try judge(PinGroup([Self.stranger(0)], position: position, chain: chain))
        #expect(finding.message.contains(words + ": pinned"), "\(finding.message)")
    }

    @Test func withoutAPathTheLeafIsAllThereIs() throws {
        let words = "the leaf, which is all there is without a validated path"
        let validated = try judge(PinGroup([Self.stranger(0)], position: .any), isTrusted: false)
        #expect(validated.message.contains(words))
        let presented = try judge(
            PinGroup([Self.stranger(0)], position: .any, chain: .presented), isTrusted: false)
        #expect(presented.message.contains("any of the 2 certificates"))
        let alone = try judge(
            PinGroup([Self.stranger(0)], position: .any, chain: .presented), isTrusted: false, path: [path[0], path[2]])
        #expect(alone.message.contains("the only certificate of the chain"))
    }

    @Test func eightPinsAreListedAndTheOthersCounted() throws {
        func message(_ count: Int, expired: Int = 0) throws -> String {
            let pins = (0..<count).map(Self.stranger)
            let yesterday = TestConnection.pki.epoch.addingTimeInterval(-86_400)
            let expiries = Dictionary(uniqueKeysWithValues: pins.prefix(expired).map { ($0, yesterday) })
            return try judge(PinGroup(pins, position: .leaf, pinExpiries: expiries)).message
        }
        let (eight, nine, twelve) = (try message(8), try message(9), try message(12))
        #expect(!eight.contains(" more") && nine.contains(" and 1 more;") && twelve.contains(" and 4 more;"))
        for pin in (0..<8).map(Self.stranger) { #expect(nine.contains(pin.digest.base64)) }
        #expect(!nine.contains(Self.stranger(8).digest.base64))
        // Those that have expired are not counted.
        #expect(!(try message(9, expired: 1).contains(" more")))
        #expect(try message(12, expired: 1).contains(" and 3 more;"))
    }

    @Test func whatTheServerHasInsteadIsShown() throws {
        let finding = try judge(PinGroup([Self.stranger(0)], position: .ca))
        #expect(
            finding.message.hasSuffix(
                "; the server has 1: \(digests[1].spki.base64), 2: \(digests[2].spki.base64)"), "\(finding.message)")
        #expect(finding.fix.hasSuffix("pin spki@ca:sha256:\(digests[1].spki.base64)"))
        let nothing = try judge(PinGroup([Self.stranger(0)], position: .ca), isTrusted: false)
        #expect(nothing.message.hasSuffix("; there is no such certificate"))
        let acceptance = "have the chain accepted first: pins of CAs are looked for on its path"
        #expect(nothing.fix == acceptance)
        // A root that is not sent may be pinned rightly; the leaf's pin is judged without a path.
        let root = Pin(kind: .spki, digest: digests[2].spki)
        #expect(try judge(PinGroup([root], position: .any), isTrusted: false).fix == acceptance)
        let leaf = try judge(PinGroup([Self.stranger(0)], position: .leaf), isTrusted: false)
        #expect(leaf.fix.hasSuffix("key was changed on purpose, pin spki@leaf:sha256:\(digests[0].spki.base64)"))
        let certificate = try judge(PinGroup([Pin(kind: .cert, digest: .sha256(of: [1]))], position: .leaf))
        #expect(certificate.fix.contains("its certificate was changed on purpose, pin cert@leaf:"))
        let empty = try judge(PinGroup([], position: .leaf))
        #expect(empty.code == "pin-mismatch" && empty.message.hasSuffix("; the group is empty"))
    }

    /// A pin on a CA takes in whatever that CA issues.
    @Test func theScopeOfAMatchIsItsWidestCertificate() throws {
        func message(_ indices: [Int], _ position: PinPosition = .any) throws -> String {
            try judge(
                PinGroup(indices.map { Pin(kind: .spki, digest: digests[$0].spki) }, position: position)
            ).message
        }
        let root = "'CN=ProbeKit Lab Root'"
        let leaf = try message([0])
        #expect(leaf.contains("matches certificate 0, ") && !leaf.contains(";"))
        #expect(
            try message([2]).hasSuffix(
                " matches certificate 2, \(root); effective scope: any certificate issued under \(root)"))
        #expect(
            try message([0, 2]).hasSuffix(
                "; certificate 2 is pinned too; effective scope: any certificate issued under \(root)"))
    }
}
