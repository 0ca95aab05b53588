import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeTestSupport
import ProbeTrust
import Testing

/// Revocation lists that come with the question, as the reference verifier judges by them (RFC 5280 section 6.3).
@Suite struct RevocationListTests {
    private static let pki = TestChain.pki
    private static let noise: [UInt8] = [0x11, 0x22]

    private func reading(
        _ identity: LabIdentityName = .good, lists: [[UInt8]], offset: TimeInterval = 0
    ) async throws -> TrustReading {
        await TestChain.verifier.evaluate(
            TrustQuestion(
                chain: try Self.pki.identity(identity).chain,
                anchors: try Self.pki.anchors().with(revocationLists: lists), name: try ServerName("good.test"),
                instant: Self.pki.epoch.addingTimeInterval(offset)))
    }

    private func list(
        issuer: LabAuthority = .intermediate, revoking identity: LabIdentityName? = nil,
        change: (inout LabRevocationList) -> Void = { _ in }
    ) throws -> [UInt8] {
        let serials = try identity.map { [try LabPKI.serial(of: Self.pki.identity($0).leaf)] } ?? []
        return try Self.pki.encode(LabRevocationList([Self.noise] + serials, change: change), issuer: issuer)
    }

    @Test func aListedLeafIsRevoked() async throws {
        let refused = try await reading(lists: [list(revoking: .good)])
        #expect(refused.cause == .revoked, "\(refused.problems)")
        #expect(refused.problems.first?.depth == 0)
        #expect(try await reading(lists: [list()]).isAccepted)
        #expect(try await reading(lists: [list(revoking: .wildcard)]).isAccepted)
        // An expired list that names it is proof enough.
        let expired = try await reading(lists: [list(revoking: .good) { $0.updates = -7200 ... -1 }])
        #expect(expired.problems.map(\.cause).contains { $0 == .revoked || $0 == .other })
    }

    @Test func aListedIntermediateIsRevoked() async throws {
        let serial = try LabPKI.serial(of: Self.pki.certificate(of: .intermediate))
        let list = try Self.pki.encode(LabRevocationList([serial]), issuer: .root)
        let refused = try await reading(lists: [list])
        #expect(refused.cause == .revoked)
        #expect(refused.problems.first?.depth == 1)
    }

    /// A certificate that no list covers gets a remark, and no problem; an anchor can't be revoked.
    @Test func whatIsNotCoveredIsSaid() async throws {
        let leafAlone = try await reading(lists: [list()])
        #expect(leafAlone.remarks.map(\.code) == ["revocation-not-judged"])
        #expect(leafAlone.remarks.first?.message.contains("Lab Intermediate") == true)
        let both = try await reading(lists: [list(), list(issuer: .root)])
        #expect(both.isAccepted && both.remarks.isEmpty, "\(both.remarks)")
        #expect(try await reading(lists: []).remarks.isEmpty)
        let foreign = try await reading(lists: [list(issuer: .otherRoot)])
        #expect(foreign.isAccepted && foreign.remarks.count == 2)
    }

    static let unusable: [@Sendable (inout LabRevocationList) -> Void] = [
        { $0.updates = -7200 ... -1 }, { $0.updates = 1...7200 }, { $0.hasNextUpdate = false },
        { $0.breaksSignature = true }, { $0.signer = LabKeyID(.p256, "somebody") },
        { $0.extensions = [.unknownCritical] }, { $0.entryExtensions = [.unknownCritical] },
        { $0.extensions = [LabRevocationList.scope(LabRevocationList.someReasons)] },
        { $0.extensions = [LabRevocationList.delta] },
        { $0.extensions = [LabRevocationList.scope(LabRevocationList.indirect)] },
    ]

    /// An unusable list of the issuer's is a problem, with a fix for the list.
    @Test(arguments: unusable.indices) func unusableListsAreRefused(_ index: Int) async throws {
        let refused = try await reading(lists: [list(change: Self.unusable[index])])
        #expect(refused.cause == .other, "\(refused.problems)")
        #expect(refused.problems.first?.fix?.contains("list") == true)
    }

    /// A usable one makes up for an unusable one, unless that is of an unsupported kind.
    @Test func anotherListMakesUpForAnUnusableOne() async throws {
        let stale = try list { $0.updates = -7200 ... -1 }
        #expect(try await reading(lists: [stale, list()]).isAccepted)
        #expect(try await reading(lists: [stale, list(revoking: .good)]).cause == .revoked)
        let delta = try list { $0.extensions = [LabRevocationList.delta] }
        #expect(try await reading(lists: [delta, list()]).cause == .other)
    }

    /// The first and the last second of a list count.
    @Test func validityIsInclusive() async throws {
        let now = try list { $0.updates = 0...0 }
        #expect(try await reading(lists: [now]).isAccepted)
        #expect(try await reading(lists: [now], offset: 0.9).isAccepted)
        #expect(try await reading(lists: [now], offset: 1).cause == .other)
        #expect(try await reading(lists: [now], offset: -1).cause == .other)
    }

    /// A list is about the certificates in its scope, and does not affect others.
    @Test(
        arguments: [
            (LabRevocationList.onlyUsers, true, false), (LabRevocationList.onlyAuthorities, false, true),
            (LabRevocationList.onlyAttributes, false, false),
        ])
    func scopes(flag: [UInt8], coversLeaf: Bool, coversAuthority: Bool) async throws {
        let scope = LabRevocationList.scope(flag)
        let leafList = try list(revoking: .good) { $0.extensions = [scope] }
        #expect(try await reading(lists: [leafList]).cause == (coversLeaf ? .revoked : nil))
        let serial = try LabPKI.serial(of: Self.pki.certificate(of: .intermediate))
        let caList = try Self.pki.encode(LabRevocationList([serial]) { $0.extensions = [scope] }, issuer: .root)
        #expect(try await reading(lists: [caList]).cause == (coversAuthority ? .revoked : nil))
    }

    /// One list of several is about the certificates that name its distribution point.
    @Test func distributionPoints() async throws {
        // [0] { [0] { [6] "u:1" } }, in the list and, as the only member, in the certificate.
        func point(_ last: UInt8) -> [UInt8] { [0xa0, 0x07, 0xa0, 0x05, 0x86, 0x03, 0x75, 0x3a, last] }
        let named = LabExtension(
            oid: [2, 5, 29, 31], isCritical: false, value: [0x30, 0x0b, 0x30, 0x09] + point(0x31))
        let leaf = try Self.pki.issue(.leaf("test").with(named), by: .root)
        let root = try Self.pki.issue(.root)
        for (last, cause) in [(UInt8(0x31), TrustCause?.some(.revoked)), (0x32, nil)] {
            let list = try Self.pki.encode(
                LabRevocationList([LabPKI.serial(of: leaf)]) { $0.extensions = [LabRevocationList.scope(point(last))] },
                by: .root)
            let reading = await TestChain.verifier.evaluate(
                TrustQuestion(
                    chain: [leaf],
                    anchors: TrustAnchors(name: "test", certificates: [root], revocationLists: [list]),
                    name: try ServerName("good.test"), instant: Self.pki.epoch))
            #expect(reading.cause == cause, "\(reading.problems)")
        }
    }

    /// An authority whose key usage does not allow it signs no list.
    @Test func authoritiesSignLists() async throws {
        let quiet = LabCertificateRecipe.root.changed { $0.keyUsage = .certificateSigning }
        let chain = try [Self.pki.issue(.leaf("test"), by: quiet), Self.pki.issue(quiet)]
        let list = try Self.pki.encode(LabRevocationList(), by: quiet)
        let reading = await TestChain.verifier.evaluate(
            TrustQuestion(
                chain: [chain[0]],
                anchors: TrustAnchors(name: "test", certificates: [chain[1]], revocationLists: [list]),
                name: try ServerName("good.test"), instant: Self.pki.epoch))
        #expect(reading.cause == .other, "\(reading.problems)")
    }

    /// Whatever bytes come there is an answer, and a damaged list never lets a revoked certificate through.
    @Test func damagedListsAreRefused() async throws {
        let list = try list(revoking: .good)
        #expect(try await reading(lists: [[]]).cause == .malformed)
        #expect(try await reading(lists: [[UInt8](repeating: 0x30, count: 9 << 20)]).cause == .malformed)
        #expect(try await reading(lists: [[UInt8]](repeating: list, count: 65)).cause == .tooComplex)
        for index in stride(from: 0, to: list.count, by: 2) {
            #expect(try await reading(lists: [Array(list[..<index])]).cause == .malformed)
            var flipped = list
            flipped[index] ^= 0x11
            let reading = try await reading(lists: [flipped])
            // Another issuer's name makes it another's list.
            #expect(!reading.isAccepted || reading.remarks.count == 2, "\(index)")
        }
    }

    /// Thousands of entries, and lists on every path of a mesh: the signature is checked once.
    @Test func longListsAreBounded() async throws {
        let serials = (0..<20_000).map { [0x40, UInt8($0 >> 8), UInt8($0 & 0xff)] }
        let list = try Self.pki.encode(LabRevocationList(serials), issuer: .intermediate)
        let time = try await Stopwatch.processorTimeOfTask {
            let isAccepted = try await reading(lists: [list]).isAccepted
            #expect(isAccepted)
        }
        #expect(time < .seconds(5))
        #expect(try await reading(lists: [list]).isAccepted)
    }

    /// Anchors with lists differ from those without: stores loaded for one are not used for the other.
    @Test func listsAreAPartOfTheAnchors() async throws {
        let plain = try Self.pki.anchors()
        let listed = plain.with(revocationLists: [try list(revoking: .good)])
        #expect(plain != listed && plain.digest == listed.digest && plain.storeDigest == plain.digest)
        #expect(try await reading(lists: []).isAccepted)
        #expect(try await reading(lists: listed.revocationLists).cause == .revoked)
        #expect(try await reading(lists: []).isAccepted)
    }
}
