import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import Testing

/// A mismatch that another kind or another position explains names it, and the pin to write instead.
@Suite struct NearMatchTests {
    private let evidence: Evidence
    private let connection: ConnectionEvidence
    private let digests: [CertificateDigests]

    init() throws {
        evidence = TestConnection.evidence(path: try TestConnection.path())
        connection = try #require(evidence.connection)
        digests = try connection.certificates.map { try $0.digests.get() }
    }

    @Test(arguments: PinKind.allCases, PinKind.allCases)
    func theKindAndTheCertificateAreNamed(kind: PinKind, stated: PinKind) throws {
        for depth in digests.indices {
            let pin = Pin(kind: stated, digest: digests[depth][kind])
            let near = try #require(NearMatch(pin, in: connection, chain: [0, 1, 2]))
            let place = "certificate \(depth), \(connection.certificates[depth].name)"
            #expect(near.kind == kind)
            #expect(
                near.explanation
                    == (stated == kind
                        ? "that pin is of \(place), where this group does not look"
                        : "that pin is the \(kind.name) hash of \(place), and you stated \(stated.name)"))
            let position: PinPosition = depth == 0 ? .leaf : .ca
            #expect(near.fix == "write \(.pin(Pin(kind: kind, digest: pin.digest), position))")
        }
    }

    /// No position could make such a pin match, but the path that has it can be searched.
    @Test func anAnchorThatIsNotSentIsNamed() throws {
        let pin = Pin(kind: .spki, digest: digests[2].spki)
        let near = try #require(NearMatch(pin, in: connection, chain: [0, 1]))
        let name = connection.certificates[2].name
        #expect(
            near.explanation == "that pin is of \(name), which the server does not send, where this group does not look"
        )
        #expect(near.fix == nil)
        #expect(NearMatch(Pin(kind: .spki, digest: .sha256(of: [1])), in: connection, chain: [0, 1, 2]) == nil)
    }

    private func mismatch(
        _ pins: [Pin], expiries: [Pin: Date] = [:], chain: PinChain = .validated, at position: PinPosition = .leaf
    ) throws -> Finding {
        let group = PinGroup(pins, position: position, chain: chain, pinExpiries: expiries)
        let findings = PinsMatch([group]).judge(evidence, at: TestConnection.pki.epoch)
        return try #require(findings.first { $0.code == "pin-mismatch" })
    }

    @Test func anyPinOfTheGroupExplainsIt() throws {
        let stranger = Pin(kind: .cert, digest: .sha256(of: [1]))
        for kind in PinKind.allCases {
            let misplaced = try mismatch([stranger, Pin(kind: kind, digest: digests[1][kind])])
            #expect(misplaced.message.contains("where this group does not look"))
            #expect(misplaced.fix == "write \(kind.rawValue)@ca:sha256:\(digests[1][kind].base64)")
        }
        let confused = try mismatch([stranger, Pin(kind: .spki, digest: digests[1].cert)])
        #expect(confused.message.contains("and you stated"))
        #expect(!(try mismatch([stranger]).message.contains("that pin is")))
        // The root was not presented.
        let beside = try mismatch([Pin(kind: .spki, digest: digests[2].spki)], chain: .presented)
        #expect(beside.message.contains("which the server does not send"))
        #expect(!beside.fix.contains("look for it there"), "a root is not a leaf there either")
        let sought = try mismatch([Pin(kind: .spki, digest: digests[2].spki)], chain: .presented, at: .any)
        #expect(sought.fix == "the validated path has it: look for it there")
    }

    @Test func aPinThatHasExpiredExplainsNothing() throws {
        let (old, other) = (Pin(kind: .spki, digest: digests[1].spki), Pin(kind: .spki, digest: .sha256(of: [1])))
        let yesterday = TestConnection.pki.epoch.addingTimeInterval(-86_400)
        #expect(!(try mismatch([old, other], expiries: [old: yesterday]).message.contains("that pin is")))
    }
}
