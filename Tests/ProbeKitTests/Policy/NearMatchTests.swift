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
            let group = PinGroup([pin], position: depth == 0 ? .ca : .leaf)
            let near = try #require(NearMatch(pin, of: group, in: connection, chain: [0, 1, 2]))
            let place = "certificate \(depth), \(connection.certificates[depth].name)"
            #expect(near.kind == kind)
            #expect(
                near.explanation
                    == (stated == kind
                        ? "that pin is of \(place), where this group does not look"
                        : "that pin is the \(kind.name) hash of \(place), and you stated \(stated.name)"))
            // Whatever was hashed, the client hashes what was stated.
            #expect(near.right == Pin(kind: stated, digest: digests[depth][stated]))
            let there = Pin(kind: stated, digest: digests[depth == 0 ? 1 : 0][stated])
            let spot: PinPosition = depth == 0 ? .leaf : .ca
            #expect(near.fix == "\(.movePin(near.right, from: group.position, to: spot, instead: there))")
            let wide = try #require(
                NearMatch(pin, of: PinGroup([pin], position: .any), in: connection, chain: [0, 1, 2]))
            #expect(stated == kind || wide.fix == "\(.pin(near.right, .any))")
        }
    }

    /// No position could make such a pin match, but the path that has it can be searched.
    @Test func anAnchorThatIsNotSentIsNamed() throws {
        let pin = Pin(kind: .spki, digest: digests[2].spki)
        let group = PinGroup([pin], position: .leaf, chain: .presented)
        let near = try #require(NearMatch(pin, of: group, in: connection, chain: [0, 1]))
        let name = connection.certificates[2].name
        #expect(
            near.explanation == "that pin is of \(name), which the server does not send, where this group does not look"
        )
        #expect(near.fix == nil)
        let stranger = Pin(kind: .spki, digest: .sha256(of: [1]))
        #expect(NearMatch(stranger, of: group, in: connection, chain: [0, 1, 2]) == nil)
    }

    /// A client that looks at so many looks at no more, whatever is written.
    @Test func aPinBeyondTheFirstIsReplacedByOneWithinReach() throws {
        let finding = try mismatch([Pin(kind: .rawkey, digest: digests[2].rawKey)], at: .first(2))
        #expect(
            finding.fix
                == "pin rawkey@first-2:sha256:\(digests[1].rawKey.base64), which is looked at")
    }

    @Test func oneOfSeveralIsNamed() throws {
        let pin = Pin(kind: .spki, digest: digests[1].spki)
        #expect(try mismatch([pin]).message.contains("; that pin is of certificate 1, "))
        let several = try mismatch([Pin(kind: .spki, digest: .sha256(of: [1])), pin])
        #expect(several.message.contains("; the SPKI pin \(pin.digest.base64) is of certificate 1, "))
    }

    /// In a platform's file a pin has no kind and no position.
    @Test func theFileHasWordsOfItsOwn() throws {
        let words = Fix.Step.Words { step in if case .pin(let pin, _) = step { "write \(pin.digest.hex)" } else { nil }
        }
        let group = PinGroup([Pin(kind: .spki, digest: digests[0].rawKey)], position: .leaf)
        let findings = PinsMatch([group], words: words).judge(evidence, at: TestConnection.pki.epoch)
        #expect(findings.first?.fix == "write \(digests[0].spki.hex)")
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
            #expect(misplaced.fix == "pin \(kind.rawValue)@ca:sha256:\(digests[1][kind].base64)")
        }
        let confused = try mismatch([stranger, Pin(kind: .spki, digest: digests[1].cert)])
        #expect(confused.message.contains("and you stated"))
        #expect(confused.fix == "pin spki@ca:sha256:\(digests[1].spki.base64)")
        #expect(!(try mismatch([stranger]).message.contains("that pin is")))
        // The root was not presented.
        let beside = try mismatch([Pin(kind: .spki, digest: digests[2].spki)], chain: .presented)
        #expect(beside.message.contains("which the server does not send"))
        #expect(!beside.fix.contains("look for it there"), "a root is not a leaf there either")
        let sought = try mismatch([Pin(kind: .spki, digest: digests[2].spki)], chain: .presented, at: .any)
        #expect(sought.fix == "the validated path has it: look for it there")
    }

    /// It is there already: only its date is wrong.
    @Test func aPinThatHasExpiredWhereItWouldMatchIsNamed() throws {
        let (old, other) = (Pin(kind: .spki, digest: digests[0].spki), Pin(kind: .spki, digest: .sha256(of: [1])))
        let yesterday = TestConnection.pki.epoch.addingTimeInterval(-86_400)
        let words =
            "the SPKI pin \(old.digest.base64) is of certificate 0, \(connection.certificates[0].name), and stopped counting after \(RFC3339.format(yesterday))"
        let finding = try mismatch([old, other], expiries: [old: yesterday])
        #expect(finding.message.hasSuffix("; \(words)") && finding.fix == "move its expiry")
        let group = PinGroup([old], position: .leaf, pinExpiries: [old: yesterday])
        let all = try #require(PinsMatch([group]).judge(evidence, at: TestConnection.pki.epoch).first)
        #expect(all.message == "every pin of spki@leaf has expired; \(words)" && all.fix == "move its expiry")
    }

    @Test func aPinThatHasExpiredExplainsNothing() throws {
        let (old, other) = (Pin(kind: .spki, digest: digests[1].spki), Pin(kind: .spki, digest: .sha256(of: [1])))
        let yesterday = TestConnection.pki.epoch.addingTimeInterval(-86_400)
        #expect(!(try mismatch([old, other], expiries: [old: yesterday]).message.contains("does not look")))
    }
}
