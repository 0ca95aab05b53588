import Foundation
import ProbeClients
import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Synchronization
import Testing
import TransportGnuTLS
import TransportOpenSSL

/// The emulated verifiers beside the real ones: over the chains of the TLS suite, and over a thousand made at random.
/// `make agreement` writes the page.
@Suite(.bounded, .serialized) struct AgreementTests {
    private static let page = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/agreement.md")

    @Test("docs/agreement.md is current, and each client says how far it agrees") func thePageIsCurrent() async throws {
        let clients = try ClientCatalogue.shipped().clients
        var pairs: [(Client, any Transport)] = []
        // Those of `make clients` first: without them nothing is begun.
        for client in clients.filter({ $0.program != nil }) + clients.filter({ $0.program == nil }) {
            if let transport = try await Self.library(of: client) { pairs.append((client, transport)) }
        }
        #expect(pairs.count == 11)
        var rows: [Agreement] = []
        let suite = try await SuiteQuestions.all()
        #expect(suite.count > 100)
        for (client, transport) in pairs {
            rows.append(await Agreement(of: client, with: transport, suite: suite))
            await (transport as? ExternalTransport)?.stop()
        }
        let markdown = AgreementPage(rows: rows).markdown
        if ProcessInfo.processInfo.environment["PROBE_WRITE_PAGES"] == "1" {
            try markdown.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == markdown, "write it: make agreement")
        for row in rows { #expect(row.client.agreement == row.percent, "\(row.client.name) in Clients/") }
        #expect(rows.allSatisfy { $0.report.kinds.allSatisfy { !$0.isFault } })
    }
}

extension AgreementTests {
    /// Backends with the library of a client, in a release of its series. They do not judge in its place.
    private static let backends = [
        "gnutls-3.7": "gnutls", "mbedtls-2.28": "mbedtls", "java-17": "java-jsse", "go-1.19": "go-tls",
    ]

    /// Returns the library that a client is compared with; nil if there is none.
    private static func library(of client: Client) async throws -> (any Transport)? {
        if let name = client.program {
            return try await ExternalTransport(path: Plugin.client(name, of: "openssl"), name: name)
        }
        guard let name = backends[client.name] else { return nil }
        if name == "gnutls" { return GnuTLSTransport() }
        return try await ExternalTransport(path: Plugin.program(.transport, name), name: name)
    }
}

/// The share of chains that an emulated client and the real one judge alike.
private struct Agreement {
    let client: Client
    let program: BackendIdentity
    /// The chains of the TLS suite that both judged, and those of them that they judged alike.
    let suite: (judged: Int, alike: Int)
    /// The kinds of differences among the chains made at random.
    let report: Exploration<ExploredChain>.Report
    /// The chains of both that the emulation does not judge.
    let undecided: Int
    private let generated: (judged: Int, alike: Int)

    static let chains = 1000

    init(of client: Client, with transport: any Transport, suite questions: [TrustQuestion]) async {
        let reference = ReferenceVerifier()
        let undecided = Mutex(0)
        /// Returns both answers; the real one's is nil where the emulation has none to compare it with.
        @Sendable func ask(_ question: TrustQuestion) async -> ExploredAnswers {
            let emulated = await reference.evaluate(question, habits: client.habits)
            let isDoubtful = emulated.cause.map { client.doubt(about: $0, chain: question.chain) != nil } ?? false
            let real = isDoubtful ? nil : ExploredAnswer(await transport.evaluateTrust(question))
            return ExploredAnswers(reference: ExploredAnswer(emulated), backends: [(client.family, real)])
        }
        var judged = 0
        var alike = 0
        for question in questions {
            let answers = await ask(question)
            guard answers.backends.first?.answer != nil else {
                undecided.withLock { $0 += 1 }
                continue
            }
            judged += 1
            if answers.differences.isEmpty { alike += 1 }
        }
        suite = (judged, alike)
        let open = Mutex(0)
        for number in 0..<Self.chains {
            let answers = await ask(ExploredChain(seed: 1, number: number).question)
            if answers.backends.first?.answer == nil { open.withLock { $0 += 1 } }
        }
        report = await Exploration<ExploredChain>(seed: 1) { await ask($0.question) }.run(examples: Self.chains)
        let left = open.withLock { $0 }
        generated = (Self.chains - left, Self.chains - left - report.differing)
        self.undecided = undecided.withLock { $0 } + left
        self.client = client
        program = transport.identity
    }

    /// The share in percent of the chains that both judged, with one decimal, never rounded up to all.
    var percent: Double { Self.percent(suite.judged + generated.judged, suite.alike + generated.alike) }

    private static func percent(_ judged: Int, _ alike: Int) -> Double {
        Double(judged == 0 ? 0 : alike * 1000 / judged) / 10
    }

    var line: String {
        func cell(_ part: (judged: Int, alike: Int)) -> String {
            "\(part.alike) of \(part.judged), \(Self.percent(part.judged, part.alike)) %"
        }
        return
            "| `\(client.name)` | \(program.library) \(program.version) | \(cell(suite)) | \(cell(generated)) | \(percent) % | "
            + "\(undecided) | \(client.isApproximate ? "approximate" : "") |"
    }
}

/// The chains of the TLS suite, each once, as the suite asks a stack about them.
private final class SuiteQuestions: Transport {
    private let stack: OpenSSLTransport
    private let asked = Mutex<[TrustQuestion]>([])

    private struct Key: Hashable {
        let chain: [[UInt8]]
        let anchors: [[UInt8]]
        let name: String?
        let instant: Date
    }

    private init() throws { stack = OpenSSLTransport() }

    static func all() async throws -> [TrustQuestion] {
        let recorder = try SuiteQuestions()
        _ = await ConformanceSuite(transports: [recorder], resolvers: [], concurrency: 8).run()
        // Chains over a limit and lists of revoked certificates are not what programs are asked about.
        let questions = recorder.asked.withLock { $0 }
            .filter { $0.requiredCapabilities.isSubset(of: [.trustEvaluation]) && !$0.chain.isEmpty }
        var seen: Set<Key> = []
        return questions.filter {
            let key = Key(
                chain: $0.chain, anchors: $0.anchors.certificates, name: $0.name.map { "\($0)" }, instant: $0.instant)
            return seen.insert(key).inserted
        }
    }

    var identity: BackendIdentity { stack.identity }
    var capabilities: Set<TransportCapability> { stack.capabilities }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport { await stack.handshake(request) }

    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
        asked.withLock {
            $0.append(
                TrustQuestion(
                    chain: question.chain, anchors: question.anchors, name: question.name, instant: question.instant))
        }
        return await stack.evaluateTrust(question)
    }

    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await stack.readKey(ofCertificate: certificate)
    }
}

/// The page of all of them.
private struct AgreementPage {
    let rows: [Agreement]

    private struct Reason: Hashable {
        let answer: String
        let reason: String
    }

    private struct Count {
        let example: String
        /// The chains of each client, by its name.
        var chains: [String: Int] = [:]
        var total: Int { chains.values.reduce(0, +) }
    }

    var markdown: String {
        var lines = [
            "# How far the emulated clients agree with the real ones", "",
            "Written by `make agreement`. Each emulated verifier that has its library beside it, of `make clients`, `make plugins` or the build, is asked about",
            "the same chains: those of the TLS suite, and a thousand valid ones that were changed at random, as `probe conformance --explore-chains 1000",
            "--seed 1` makes them. Nearly all of the latter are malformed or break a rule of RFC 5280, as no authority's certificate does: the rate",
            "says how much of a library's code is emulated and not how often a person's client is misjudged. Where the emulation gives no verdict,",
            "nothing is compared. Below 98 % a client is marked as approximate, here and by `probe clients`.", "",
            "The differences over the suite are those that [divergences.md](divergences.md) and each program's `exemptions.json` give, with a reason each,",
            "as far as no habit of the client says the same.", "",
            "| client | library | TLS suite | changed at random | together | no verdict | |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += rows.map(\.line)
        lines += [
            "", "## The differences of the chains changed at random", "",
            "By the fewest mutations that make them; the reasons are those of [explored.md](explored.md), where the reference is what is emulated.",
            "\"Most\" is the largest share of one client's chains.",
            "", "| the real one | because | chains | most | for instance | clients |", "|---|---|---|---|---|---|",
        ]
        var counts: [Reason: Count] = [:]
        for row in rows {
            for kind in row.report.kinds {
                for difference in kind.differences {
                    let known = kind.likelyReason(in: KnownDifference.chains) ?? "Not known."
                    let reason = Reason(answer: difference.answer, reason: known)
                    let example = kind.rules.map { "`\($0)`" }.joined(separator: " and ")
                    counts[reason, default: Count(example: example)].chains[row.client.name, default: 0] += kind.count
                }
            }
        }
        let sorted = counts.sorted {
            ($1.value.total, $0.key.reason, $0.key.answer) < ($0.value.total, $1.key.reason, $1.key.answer)
        }
        for (reason, count) in sorted {
            let names = rows.map(\.client.name).filter { count.chains[$0] != nil }
            let clients = names.count == rows.count ? "all" : names.joined(separator: ", ")
            let most = names.max { count.chains[$0] ?? 0 < count.chains[$1] ?? 0 } ?? ""
            let share = Double(count.chains[most] ?? 0) / Double(Agreement.chains / 100)
            lines.append(
                "| \(reason.answer) | \(reason.reason) | \(count.total) | \(share) % of `\(most)` | \(count.example) | \(clients) |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
