import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing
import X509

/// The change that each habit of a shipped verifier makes, and that nothing else changes with it.
@Suite struct VerifierHabitTests {
    private static let day = 86_400
    private static let pki = TestChain.pki
    /// A root that is over, the newer one, and the newer one's name and key certified by the old root.
    private static let oldRoot = LabCertificateRecipe.authority("Old Root", issuer: nil) {
        $0.validity = -9 * 365 * day ... -day
    }
    private static let newRoot = LabCertificateRecipe.authority("New Root", issuer: nil)
    private static let crossed = LabCertificateRecipe.authority("New Root", issuer: .root)
    private static let middle = LabCertificateRecipe.authority("Middle", issuer: .root)

    private static func habits(_ change: (inout VerifierHabits) -> Void) -> VerifierHabits {
        var habits = VerifierHabits()
        change(&habits)
        return habits
    }

    private static func reading(
        _ chain: [[UInt8]], anchors: [[UInt8]], _ habits: VerifierHabits, at instant: Date? = nil,
        name: String = "good.test"
    ) async throws -> TrustReading {
        await TestChain.verifier.evaluate(
            TrustQuestion(
                chain: chain, anchors: TrustAnchors(name: "test", certificates: anchors), name: try ServerName(name),
                instant: instant ?? pki.epoch), habits: habits)
    }

    /// Returns the answer about a leaf that a root issued itself.
    private static func reading(
        _ habits: VerifierHabits, at instant: Date? = nil, root: LabCertificateRecipe = newRoot,
        leaf change: (inout LabCertificateRecipe) -> Void
    ) async throws -> TrustReading {
        let leaf = try pki.issue(.leaf("test", change: change), by: root)
        return try await reading([leaf], anchors: [try pki.issue(root, by: root)], habits, at: instant)
    }

    private struct Replay {
        let leaf, middle, crossed, old, new: [UInt8]
    }

    private static func replay() throws -> Replay {
        Replay(
            leaf: try pki.issue(.leaf("test"), by: middle), middle: try pki.issue(middle, by: newRoot),
            crossed: try pki.issue(crossed, by: oldRoot), old: try pki.issue(oldRoot, by: oldRoot),
            new: try pki.issue(newRoot, by: newRoot))
    }

    /// A verifier keeps roots that it has parsed, and has the same ones in another order too.
    @Test func theOrderOfTheRootsDecides() async throws {
        let namesake = Self.newRoot.changed { $0.key = LabKeyID(.p256, "another new root") }
        let leaf = try Self.pki.issue(.leaf("test"), by: Self.newRoot)
        let (right, wrong) = (
            try Self.pki.issue(Self.newRoot, by: Self.newRoot), try Self.pki.issue(namesake, by: namesake)
        )
        let habits = Self.habits { ($0.paths, $0.issuers) = (.sentFirst, .firstAuthority) }
        let stores: [([[UInt8]], TrustCause?)] = [
            ([right, wrong], nil), ([wrong, right], .badSignature), ([right, wrong], nil),
        ]
        for (roots, cause) in stores {
            #expect(try await Self.reading([leaf], anchors: roots, habits).cause == cause)
        }
    }

    // MARK: Paths

    @Test(
        "of an expired root with a cross-sign only those break that follow what was sent",
        arguments: [
            (VerifierHabits.PathBuilding.allPaths, nil), (.trustedFirst, nil), (.sentFirst, .expired),
            (.sentNames, .expired), (.sentNamesTwice, nil), (.sentOrder, .expired),
        ] as [(VerifierHabits.PathBuilding, TrustCause?)])
    func expiredRoot(paths: VerifierHabits.PathBuilding, cause: TrustCause?) async throws {
        let replay = try Self.replay()
        let habits = Self.habits { $0.paths = paths }
        let sent = [replay.leaf, replay.middle, replay.crossed]
        #expect(try await Self.reading(sent, anchors: [replay.old, replay.new], habits).cause == cause)
        // The day before, the old root was valid.
        let before = Self.pki.epoch.addingTimeInterval(-2 * Double(Self.day))
        #expect(try await Self.reading(sent, anchors: [replay.old, replay.new], habits, at: before).isAccepted)
        // The advice for the old ones: take the old root out of the store.
        let without = try await Self.reading(sent, anchors: [replay.new], habits)
        #expect(without.isAccepted == (paths != .sentOrder))
        if paths != .sentOrder { #expect(without.path?.count == 3) }
    }

    @Test(
        "what is sent in another order, or twice, breaks those that take the order as it is",
        arguments: VerifierHabits.PathBuilding.allCases)
    func order(paths: VerifierHabits.PathBuilding) async throws {
        let replay = try Self.replay()
        let habits = Self.habits { $0.paths = paths }
        for sent in [
            [replay.leaf, replay.crossed, replay.middle], [replay.leaf, replay.middle, replay.middle],
            [replay.leaf, replay.old, replay.middle],
        ] {
            let reading = try await Self.reading(
                sent, anchors: [replay.new], Self.habits { $0.paths = paths }, at: Self.pki.epoch)
            // A certificate that is there twice is one.
            let isShort = Set(sent).count < sent.count
            #expect(reading.isAccepted == (paths != .sentOrder || isShort), "\(paths): \(reading.problems)")
        }
        // A root that is sent along is the anchor itself.
        let whole = try await Self.reading(
            [replay.leaf, replay.middle, replay.new], anchors: [replay.new], habits)
        #expect(whole.path?.count == 3, "\(whole.problems)")
        let alone = try await Self.reading([replay.leaf], anchors: [replay.new], habits)
        #expect(alone.cause == .unknownIssuer, "nobody finds an issuer that was not sent")
    }

    @Test("a namesake of the issuer is taken by its name, and its signature refused") func namesake() async throws {
        let replay = try Self.replay()
        let other = try Self.pki.issue(
            Self.middle.changed { $0.key = LabKeyID(.p256, "namesake") }, by: Self.newRoot)
        let sent = [replay.leaf, other, replay.middle]
        for paths in [VerifierHabits.PathBuilding.trustedFirst, .sentFirst] {
            let reading = try await Self.reading(sent, anchors: [replay.new], Self.habits { $0.paths = paths })
            #expect(reading.cause == .badSignature && reading.problems.first?.depth == 0, "\(reading.problems)")
            let named = try await Self.reading(
                sent, anchors: [replay.new],
                Self.habits {
                    $0.paths = paths
                    $0.requiresKeyIdentifiers = true
                })
            #expect(named.path == [replay.leaf, replay.middle, replay.new])
        }
    }

    @Test("a path that passes by an anchor is not said to end at it") func passedAnchor() async throws {
        let replay = try Self.replay()
        let habits = Self.habits {
            $0.paths = .sentFirst
            $0.issuers = .firstAuthority
            $0.anchors = .selfIssued
        }
        let reading = try await Self.reading(
            [replay.leaf, replay.middle], anchors: [replay.crossed, replay.new], habits)
        #expect(reading.cause == .unknownIssuer)
        #expect(reading.problems.first?.message.contains("reaches no anchor") == true, "\(reading.problems)")
    }

    // MARK: Anchors

    @Test(
        "an authority that another one issued ends no path where anchors have to be their own issuers",
        arguments: VerifierHabits.PathBuilding.allCases, VerifierHabits.AnchorForm.allCases)
    func partialPath(paths: VerifierHabits.PathBuilding, form: VerifierHabits.AnchorForm) async throws {
        let replay = try Self.replay()
        let habits = Self.habits {
            $0.paths = paths
            $0.anchors = form
        }
        let alone = try await Self.reading([replay.leaf], anchors: [replay.middle], habits)
        #expect(alone.cause == (form == .any ? nil : .unknownIssuer), "\(alone.problems)")
        let leaf = try await Self.reading([replay.leaf], anchors: [replay.leaf], habits)
        #expect(leaf.cause == (form == .any ? nil : .unknownIssuer), "\(leaf.problems)")
        // Such an authority is known all the same, so that its issuer may end the path.
        guard [.allPaths, .trustedFirst, .sentFirst].contains(paths) else { return }
        let both = try await Self.reading([replay.leaf], anchors: [replay.middle, replay.new], habits)
        #expect(both.path == [replay.leaf, replay.middle] + (form == .any ? [] : [replay.new]))
    }

    @Test("an anchor issued itself by its names and its key identifiers, and may sign certificates")
    func ownIssuer() async throws {
        func accepted(_ form: VerifierHabits.AnchorForm, _ root: LabCertificateRecipe) async throws -> Bool {
            try await Self.reading(Self.habits { $0.anchors = form }, root: root) { _ in }.isAccepted
        }
        func identified(_ identifier: AuthorityKeyIdentifier, serial: [UInt8] = [5]) throws -> LabCertificateRecipe {
            let root = Self.newRoot.changed { $0.serial = serial }
            return root.with(try TestChain.encoded(Certificate.Extension(identifier, critical: false)))
        }
        let own = GeneralName.directoryName(try DistinguishedName { CommonName("New Root") })
        let other = GeneralName.directoryName(try DistinguishedName { CommonName("Old Root") })
        let serial = Certificate.SerialNumber(bytes: [5])
        let named: [(AuthorityKeyIdentifier, Bool)] = [
            (AuthorityKeyIdentifier(), true),
            (AuthorityKeyIdentifier(keyIdentifier: [1, 2, 3]), false),
            (AuthorityKeyIdentifier(authorityCertIssuer: [own], authorityCertSerialNumber: serial), true),
            (AuthorityKeyIdentifier(authorityCertIssuer: [other], authorityCertSerialNumber: serial), false),
            (AuthorityKeyIdentifier(authorityCertIssuer: [own], authorityCertSerialNumber: .init(bytes: [6])), false),
        ]
        for (identifier, isOwn) in named {
            let root = try identified(identifier)
            #expect(try await accepted(.any, root))
            #expect(try await accepted(.selfIssued, root) == isOwn, "\(identifier)")
            #expect(try await accepted(.selfIssuedAuthority, root) == isOwn, "\(identifier)")
        }
        // A server's certificate that signed itself, and may sign no other.
        let server = LabCertificateRecipe.leaf("own", issuer: nil)
        let alone = try Self.pki.issue(server, by: server)
        for (form, isEnd) in [
            (VerifierHabits.AnchorForm.any, true), (.selfIssued, true), (.selfIssuedAuthority, false),
        ] {
            let reading = try await Self.reading([alone], anchors: [alone], Self.habits { $0.anchors = form })
            #expect(reading.isAccepted == isEnd, "\(form): \(reading.problems)")
        }
        let open = server.changed { $0.keyUsage = nil }
        let silent = try Self.pki.issue(open, by: open)
        let reading = try await Self.reading(
            [silent], anchors: [silent], Self.habits { $0.anchors = .selfIssuedAuthority })
        #expect(reading.isAccepted, "without a key usage all are allowed: \(reading.problems)")
    }

    // MARK: Rules

    @Test("an anchor that is over counts where its validity is not judged") func anchors() async throws {
        let replay = try Self.replay()
        let sent = [replay.leaf, replay.middle, replay.crossed]
        #expect(try await Self.reading(sent, anchors: [replay.old], VerifierHabits()).cause == .expired)
        let lenient = Self.habits { $0.judgesAnchorValidity = false }
        #expect(try await Self.reading(sent, anchors: [replay.old], lenient).path?.count == 4)
        // Below the anchor it is judged all the same.
        let late = Self.pki.epoch.addingTimeInterval(61 * Double(Self.day))
        #expect(try await Self.reading(sent, anchors: [replay.old], lenient, at: late).cause == .expired)
    }

    /// OpenSSL, curl, GnuTLS and Java hold it to the constraints on DNS names.
    @Test("a common name that counts is constrained", arguments: [("other.test", false), ("good.test", true)])
    func constrainedCommonName(permitted: String, isAccepted: Bool) async throws {
        let root = LabCertificateRecipe.authority("Narrow Root", issuer: nil) {
            $0.permittedNames = [permitted]
        }
        let reading = try await Self.reading(Self.habits { $0.acceptsCommonName = true }, root: root) {
            $0.dnsNames = []
        }
        #expect(reading.cause == (isAccepted ? nil : .constraintViolated), "\(reading.problems)")
    }

    @Test("the common name counts only where there is no alternative name", arguments: [true, false])
    func commonName(isAccepted: Bool) async throws {
        let habits = Self.habits { $0.acceptsCommonName = isAccepted }
        let named = try await Self.reading(habits) { $0.dnsNames = [] }
        #expect(named.cause == (isAccepted ? nil : .hostnameMismatch))
        let other = try await Self.reading(habits) { $0.dnsNames = ["other.test"] }
        #expect(other.cause == .hostnameMismatch)
        let stranger = try await Self.reading(habits) {
            $0.dnsNames = []
            $0.commonName = "other.test"
        }
        #expect(stranger.cause == .hostnameMismatch)
    }

    @Test("SHA-1 counts where it is accepted", arguments: [true, false]) func sha1(isAccepted: Bool) async throws {
        let root = LabCertificateRecipe.authority("RSA Root", issuer: nil) { $0.key = LabKeyID(.rsa2048, "authority") }
        let reading = try await Self.reading(Self.habits { $0.acceptsSHA1 = isAccepted }, root: root) {
            $0.signature = .rsaSHA1
        }
        #expect(reading.cause == (isAccepted ? nil : .weakSignature), "\(reading.problems)")
    }

    @Test(
        "an RSA key below the size that is wanted is refused", arguments: [(2048, true), (1024, true), (3072, false)])
    func keySize(minimum: Int, isAccepted: Bool) async throws {
        let reading = try await Self.reading(Self.habits { $0.minimumRSABits = minimum }) {
            $0.key = LabKeyID(.rsa2048, "leaf")
        }
        #expect(reading.cause == (isAccepted ? nil : .weakKey), "\(reading.problems)")
    }

    @Test("the second of notAfter is the last one, or over", arguments: [true, false])
    func lastSecond(isIncluded: Bool) async throws {
        let habits = Self.habits { $0.includesLastSecond = isIncluded }
        for (offset, isValid) in [(-1.0, true), (0, isIncluded), (0.5, isIncluded), (1, false)] {
            let instant = Self.pki.epoch.addingTimeInterval(100 + offset)
            let reading = try await Self.reading(habits, at: instant) { $0.validity = 0...100 }
            #expect(reading.isAccepted == isValid, "\(offset)")
        }
    }

    @Test("a life is as long as the limit of its day of issue allows") func lifetimes() async throws {
        let since = Int(Self.pki.epoch.timeIntervalSince1970)
        let habits = Self.habits {
            $0.lifetimes = [
                .init(since: since - 1000 * Self.day, days: 825, slack: 3600), .init(since: since, days: 398),
            ]
        }
        for (from, seconds, isAccepted) in [
            (0, 398 * Self.day, true), (0, 398 * Self.day + 1, false), (-1, 825 * Self.day + 3600, true),
            (-1, 825 * Self.day + 3601, false), (-1001, 2000 * Self.day, true),
        ] {
            let start = from * Self.day
            let reading = try await Self.reading(habits) { $0.validity = start...(start + seconds) }
            #expect(reading.isAccepted == isAccepted, "\(from), \(seconds): \(reading.problems)")
        }
    }

    @Test("a leaf has to name the server's purpose from the day of issue on that a client wants it")
    func serverPurpose() async throws {
        let habits = Self.habits { $0.serverPurposeSince = Int(Self.pki.epoch.timeIntervalSince1970) }
        for (start, purposes, isAccepted) in [
            (0, nil, false), (-1, nil, true), (0, [.server], true), (0, [.client], false),
        ] as [(Int, [LabPurpose]?, Bool)] {
            let reading = try await Self.reading(habits) {
                $0.validity = start...Self.day
                $0.purposes = purposes
            }
            #expect(reading.problems.map(\.cause) == (isAccepted ? [] : [.wrongPurpose]), "\(start): \(reading)")
        }
    }

    @Test("name constraints count where they are judged", arguments: [true, false])
    func nameConstraints(areJudged: Bool) async throws {
        let limited = LabCertificateRecipe.authority("Limited", issuer: .root) { $0.excludedNames = ["good.test"] }
        let chain = [try Self.pki.issue(.leaf("test"), by: limited), try Self.pki.issue(limited, by: Self.newRoot)]
        let reading = try await Self.reading(
            chain, anchors: [try Self.pki.issue(Self.newRoot, by: Self.newRoot)],
            Self.habits { $0.judgesNameConstraints = areJudged })
        #expect(reading.cause == (areJudged ? .constraintViolated : nil), "\(reading.problems)")
    }
}
