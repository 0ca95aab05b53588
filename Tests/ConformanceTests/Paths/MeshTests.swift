import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

/// Pins in meshes of CAs that certify each other: the path that each stack takes, by its library and by its program,
/// and the result of a pin of each certificate. `PROBE_MESHES` sets the number of meshes.
@Suite(.bounded, .serialized) struct MeshTests {
    private static let pki = LabPKI(epoch: .now)
    private static let meshes = ProcessInfo.processInfo.environment["PROBE_MESHES"].flatMap(Int.init) ?? 40

    @Test("no pin passes that the stack's own client would refuse") func meshes() async throws {
        var tally = MeshTally()
        for program in ["openssl", "certtool"] where !PartnerProcess.isInstalled(program) {
            try leaveOut("\(program) is not installed")
        }
        for seed in 0..<Self.meshes {
            let mesh = try CrossSignedMesh(seed: UInt64(seed), pki: Self.pki)
            tally.meshes += 1
            tally.withoutPath += mesh.validPaths.isEmpty ? 1 : 0
            tally.validPaths += mesh.validPaths.count
            let programs = [
                "openssl": PartnerProcess.isInstalled("openssl")
                    ? try await PathPrograms.openssl(mesh.presented, anchors: mesh.anchors) : nil,
                "gnutls": PartnerProcess.isInstalled("certtool")
                    ? try await PathPrograms.gnutls(mesh.presented, anchors: mesh.anchors) : nil,
            ]
            for subject in BackendsUnderTest.transports {
                let transport = try subject.get()
                let program = programs[transport.identity.name] ?? nil
                try await judge(mesh, seed: seed, transport, program, &tally)
            }
        }
        print(tally.text)
        for (name, stack) in tally.stacks {
            #expect(stack.otherThanReference > 0, "\(name): the meshes show no path but the reference verifier's")
            #expect(stack.pins["paths-differ", default: 0] > 0)
            #expect(stack.pins["pass-with-warnings", default: 0] > 0)
        }
    }

    private func judge(
        _ mesh: CrossSignedMesh, seed: Int, _ transport: any Transport, _ program: PathPrograms.Answer?,
        _ tally: inout MeshTally
    ) async throws {
        let name = transport.identity.name
        let target = try Target("good.test")
        let anchors = TrustAnchors(name: "mesh", certificates: mesh.anchors)
        // The pins do not affect the facts, except that they make the prober ask for paths.
        let asked = Check(target: target, anchors: anchors, pins: [PinGroup([], position: .any)])
        let connection = await Prober(clock: .fixed(Self.pki.epoch)).observe(
            asked, through: MeshTransport(stack: transport, chain: mesh.presented), deadline: .after(.seconds(1800)))
        let native = try #require(connection.report.nativeTrust)
        let reference = try #require(connection.referenceTrust)
        let comment: Comment = "mesh \(seed), \(name)"

        // The reference verifier finds exactly the paths of the model.
        #expect(reference.isAccepted == !mesh.validPaths.isEmpty, comment)
        let known = Set(([reference.path].compactMap(\.self)) + connection.further.paths)
        #expect(connection.further.isComplete ? known == mesh.validPaths : known.isSubset(of: mesh.validPaths), comment)

        // A stack takes one of them or none, and shows the one that its own program takes.
        var stack = tally.stacks[name, default: .init()]
        defer { tally.stacks[name] = stack }
        if native.isAccepted {
            stack.accepted += 1
            let path = try #require(native.path, comment)
            #expect(mesh.isValid(path), comment)
            if path == reference.path { stack.sameAsReference += 1 } else { stack.otherThanReference += 1 }
        } else {
            stack.refused += 1
        }
        if let program {
            let shown = try native.path.map { try $0.map { try CertificateDetails(certificate: $0).subject } }
            #expect(shown == program.path, "\(comment.rawValue): \(program.output)")
            if shown == program.path { stack.sameAsProgram += 1 }
        }

        for certificate in mesh.certificates {
            let digests = try CertificateDigests(certificate: certificate.span, digester: SwiftCryptoDigester())
            for kind in [PinKind.spki, .cert] {
                let pin = Pin(kind: kind, digest: digests[kind])
                let check = Check(target: target, anchors: anchors, pins: [PinGroup([pin], position: .any)])
                let findings = check.connectionPolicy.judge(
                    Evidence(connection: connection, model: nil), at: connection.instant)
                let verdict = Verdict(findings)
                let code = verdict.decidingFinding?.code ?? verdict.outcome.rawValue
                stack.pins[code, default: 0] += 1
                expect(verdict, pin, mesh, native: native.path, reference: reference.path, comment)
            }
        }
    }

    /// Compares a verdict with that of each client on a path of the model.
    private func expect(
        _ verdict: Verdict, _ pin: Pin, _ mesh: CrossSignedMesh, native: [[UInt8]]?, reference: [[UInt8]]?,
        _ comment: Comment
    ) {
        func holds(_ path: [[UInt8]]) -> Bool {
            path.contains { der in
                (try? CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester()))?[pin.kind]
                    == pin.digest
            }
        }
        guard let native, let reference else {
            #expect(!verdict.outcome.isPass, comment)
            return
        }
        switch (holds(native), holds(reference)) {
        case (true, true):
            #expect(verdict.outcome.isPass, comment)
            let isSure = mesh.validPaths.allSatisfy(holds)
            #expect(verdict.outcome == (isSure ? .pass : .passWithWarnings), comment)
            #expect(verdict.findings.contains { $0.code == "pin-depends-on-path" } == !isSure, comment)
        case (false, false): #expect(verdict.decidingFinding?.code == "pin-mismatch", comment)
        default: #expect(verdict.decidingFinding?.code == "paths-differ", comment)
        }
    }

    /// The mesh of the release that passed where `openssl s_client` would have refused: two issuers of one name and key.
    @Test(
        "the path that is judged is that of openssl s_client",
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: BackendsUnderTest.transports)
    func client(_ subject: TransportUnderTest) async throws {
        let transport = try subject.get()
        let anchors = try Self.pki.anchors([.root, .otherRoot])
        let pins = try [LabAuthority.root, .otherRoot].map { authority in
            let digest = PinDigest.sha256(of: try Self.pki.key(authority.recipe.key).spki)
            return PinGroup([Pin(kind: .spki, digest: digest)], position: .ca)
        }
        try await TLSPartner.openssl.run(try Self.pki.identity(.twinIssuers)) { endpoint in
            let folder = try PartnerFolder()
            let file = try folder.write(anchors.certificates.map(CertificateFile.pem).joined(), to: "anchors.pem")
            let printed = try await PathPrograms.run(
                "openssl",
                ["s_client", "-connect", "\(endpoint)", "-servername", "good.test", "-CAfile", file, "-no-CApath"])
            #expect(printed.contains("Verify return code: 0 (ok)"), "\(printed)")
            #expect(printed.contains("depth=2 CN = ProbeKit Lab Root\n"), "\(printed)")
            for (pin, trust, outcome) in [
                (pins[0], TrustMode.native, Outcome.passWithWarnings), (pins[1], .native, .pinMismatch),
                (pins[0], .both, .stacksDisagree), (pins[1], .both, .stacksDisagree),
            ] {
                let check = Check(
                    target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: anchors,
                    trust: trust, pins: [pin], timeout: .seconds(1800))
                let result = try #require(
                    await Prober(clock: .fixed(Self.pki.epoch)).probe(check, through: [transport], resolvers: []).first)
                #expect(result.verdict.outcome == outcome)
                let path = try #require(result.evidence.connection?.report.nativeTrust?.path)
                #expect(path.last == anchors.certificates[0])
            }
        }
    }

    /// The benchmark of the hash path measures the same code of each library as verdicts run.
    @Test("each stack digests what pins are compared with", arguments: BackendsUnderTest.transports)
    func digester(_ subject: TransportUnderTest) throws {
        let transport = try subject.get()
        let own = ["openssl": "OpenSSL", "curl": "OpenSSL", "gnutls": "GnuTLS", "nio": "BoringSSL"]
        let library = try #require(transport.digester).identity.library
        #expect(library.contains(try #require(own[transport.identity.name])), "\(library)")
    }
}
