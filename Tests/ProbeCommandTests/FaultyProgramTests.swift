import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import ProbeTrust
import Testing

/// Programs that say hello and do something wrong with a question: nobody's refusal, and no difference of stacks.
@Suite(.bounded) struct FaultyProgramTests {
    /// A folder with a program in Python, which does `behaviour` with every request but the first.
    private final class Program: Sendable {
        let folder: URL
        let path: String

        init(_ kind: String, _ capabilities: String, _ behaviour: String) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "faulty-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            path = folder.appending(path: "probe-\(kind)-faulty").path
            let script = """
                #!/usr/bin/python3
                import json, os, subprocess, sys, time
                for line in sys.stdin:
                    request = json.loads(line)
                    reply = {'id': request['id'], 'type': request['type']}
                    if request['type'] == 'hello':
                        reply.update(protocol=1, kind='\(kind)', name='faulty', library='Faulty', version='1',
                                     capabilities='\(capabilities)'.split())
                    else:
                        \(behaviour)
                    print(json.dumps(reply), flush=True)
                """
            try Data(script.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private static let pki = LabPKI(epoch: .now)
    private static let transport = "presented-chain key-reading trust-evaluation version-range sni alpn"
    private static let resolver = "raw-reply chosen-servers tcp-on-truncation edns-size without-edns failure-reasons"

    /// Runs `body` with the files of a chain and of its CA.
    private func withChain(_ program: Program, _ body: (_ chain: String, _ ca: String) async throws -> Void)
        async throws
    {
        let (chain, ca) = (program.folder.appending(path: "chain.pem"), program.folder.appending(path: "ca.pem"))
        try Self.pki.identity(.good).chain.map(CertificateFile.pem).joined().write(
            to: chain, atomically: true, encoding: .utf8)
        try Self.pki.rootPEM().write(to: ca, atomically: true, encoding: .utf8)
        try await body(chain.path, ca.path)
    }

    @Test func aDecisionThatIsMissingRefusesNothing() async throws {
        let program = try Program(
            "transport", Self.transport,
            "reply['key'] = {'unreadable': 'x'} if request['type'] == 'read-key' else os._exit(3)")
        try await withChain(program) { chain, ca in
            let plugin = ["--plugin", program.path, "--backend", "faulty", "--ca", ca, "--format", "json"]
            let verified = try await Probe.run(["verify", chain, "--name", "good.test"] + plugin)
            #expect(verified.code == 70, "\(verified.output)\(verified.errors)")
            let line = try #require(verified.lines.first)
            #expect(try Schema.load("probe-verify-1.schema.json").violations(in: line) == [])
            #expect(line["native"] is NSNull && line["outcome"] as? String == "internal-error")
            #expect((line["error"] as? String)?.contains("ended with code 3") == true)
            let checked = try await Probe.run(["check", "--chain", chain, "good.test"] + plugin)
            #expect(checked.code == 70, "\(checked.output)\(checked.errors)")
            let findings = checked.lines.first?["findings"] as? [[String: Any]] ?? []
            #expect(findings.contains { $0["code"] as? String == "backend-error" })
            #expect(!findings.contains { $0["code"] as? String == "stacks-disagree" })
        }
    }

    /// The stack that reads a supplied chain decides for no client.
    @Test func emulatedClientsDoNotAskIt() async throws {
        let program = try Program(
            "transport", Self.transport,
            "reply['key'] = {'unreadable': 'x'} if request['type'] == 'read-key' else os._exit(3)")
        try await withChain(program) { chain, _ in
            let outcome = try await Probe.run([
                "check", "--client", "android-7.0", "--plugin", program.path, "--backend", "faulty", "--chain", chain,
                "good.test",
                "--format", "json",
            ])
            #expect(!outcome.lines.isEmpty, "\(outcome.errors)")
            #expect(!outcome.output.contains("backend-error"))
        }
    }

    @Test func aSearchFindsItsEnd() async throws {
        let program = try Program("transport", Self.transport, "os._exit(3)")
        let outcome = try await Probe.run([
            "conformance", "--explore-chains", "3", "--backend", "openssl,faulty", "--plugin", program.path, "--format",
            "json",
        ])
        #expect(outcome.code == 70 && outcome.output.contains("crashed"), "\(outcome.output)\(outcome.errors)")
        let schema = try Schema.load("probe-exploration-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        let answers = outcome.lines.flatMap { $0["backends"] as? [[String: Any]] ?? [] }
            .filter { $0["backend"] as? String == "faulty" }.compactMap { $0["answer"] as? [String: Any] }
        #expect(answers.contains { $0["nativeCode"] as? String == "program-ended" }, "\(outcome.output)")
        #expect(answers.contains { ($0["message"] as? String)?.hasPrefix("probe-transport-faulty ended") == true })
    }

    @Test func itsFaultDiffersFromNoStack() async throws {
        let program = try Program("transport", Self.transport, "os._exit(3)")
        let outcome = try await Probe.run([
            "compare", "--plugin", program.path, "--backend", "faulty,openssl", "--connect", "127.0.0.1:1", "a.test",
            "--format", "json",
        ])
        #expect(outcome.code == 70)
        let line = try #require(outcome.lines.first)
        #expect(try Schema.load("probe-compare-1.schema.json").violations(in: line) == [])
        #expect(line["agree"] as? Bool == false)
        let facts = line["facts"] as? [[String: Any]] ?? []
        let differing = facts.filter { $0["equal"] as? Bool == false }
        #expect(differing.compactMap { $0["fact"] as? String } == ["verdict"])
        #expect((differing.first?["explanation"] as? String)?.hasPrefix("faulty failed by itself: ") == true)
    }

    /// It garbles one line, and the requests that were under way are asked again: the answers do not show it.
    @Test(arguments: ["text", "json", "junit"]) func theSuiteCountsAFaultThatCostsNoProbe(format: String) async throws {
        let program = try Program(
            "transport", Self.transport,
            """
            said = __file__ + '.said'
                    if not os.path.exists(said):
                        open(said, 'w').close()
                        print('a line of a log', flush=True)
                    reply['report'] = {'failure': {'code': 'connection-refused', 'message': 'x'}}
            """)
        let outcome = try await Probe.run([
            "conformance", "--plugin", program.path, "--backend", "faulty", "--filter", "tls/pins/spki-", "--format",
            format,
        ])
        #expect(outcome.code == 70, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("its program was lost 1 time: program-garbled: probe-transport-faulty wrote"))
        #expect(outcome.output.contains("tls/program/lost"))
        guard format == "json" else { return }
        let schema = try Schema.load("probe-conformance-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
    }

    /// The same over DNS, in a search.
    @Test func aSearchCountsAFaultThatCostsNoQuery() async throws {
        let program = try Program(
            "resolver", Self.resolver,
            """
            said = __file__ + '.said'
                    if not os.path.exists(said):
                        open(said, 'w').close()
                        print('a line of a log', flush=True)
                    reply.update(type='error', message='not today')
            """)
        let outcome = try await Probe.run([
            "conformance", "--plugin", program.path, "--resolver", "faulty", "--explore-replies", "3",
        ])
        #expect(outcome.code == 70, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("probe: faulty: its program was lost 1 time: program-garbled"))
    }

    @Test func aResolversFaultIsNotItsAnswer() async throws {
        let program = try Program("resolver", Self.resolver, "os._exit(3)")
        let suite = try await Probe.run([
            "conformance", "--plugin", program.path, "--resolver", "faulty", "--filter", "dns/transport/tcp-length",
        ])
        #expect(suite.code == 70, "\(suite.output)\(suite.errors)")
        #expect(suite.output.contains("could not be judged: faulty failed by itself"))
        let models = try await Probe.run([
            "models", "--plugin", program.path, "--resolver", "faulty", "--dns-server", "127.0.0.1:1", "a.test",
        ])
        #expect(models.code == 21, "\(models.output)\(models.errors)")
        #expect(models.output.contains("ask through another --resolver, and see why this one failed"))
        let compared = try await Probe.run([
            "compare", "--plugin", program.path, "--resolver", "faulty,ldns", "--backend", "openssl", "--model", "dc",
            "--model-host", "a.test", "--dns-server", "127.0.0.1:1", "--connect", "127.0.0.1:1", "a.test",
        ])
        #expect(compared.code == 70 && compared.output.contains("faulty failed by itself"), "\(compared.output)")
        #expect(compared.output.contains("the stacks can't be compared"))
    }

    @Test func anAnswerOfAServerThatWasNotAskedIsAFault() async throws {
        let program = try Program(
            "resolver", Self.resolver,
            """
            reply['attempts'] = [{'server': '192.0.2.1:53', 'channel': 'udp', 'queryID': 1, 'duration': 0, 'failure': \
            {'code': 'timeout', 'message': 'x'}}]
            """)
        let models = try await Probe.run([
            "models", "--plugin", program.path, "--resolver", "faulty", "--dns-server", "127.0.0.1:1", "a.test",
        ])
        #expect(models.code == 21 && models.output.contains("'192.0.2.1:53', which was not to be asked"))
    }

    @Test func whatAProgramWouldBeCapableOfIsNotInvented() async throws {
        let program = try Program("transport", Self.transport, "pass")
        try "#!/bin/sh\nexit 3\n".write(
            toFile: program.folder.appending(path: "probe-transport-dead").path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: program.folder.appending(path: "probe-transport-dead").path)
        let outcome = try await Probe.run(["backends", "--plugin-path", program.folder.path, "--format", "json"])
        let lines = outcome.lines.filter { ["faulty", "dead"].contains($0["name"] as? String) }
        #expect(lines.map { ($0["capabilities"] as? [String])?.count } == [0, 6], "\(outcome.output)")
        #expect((lines.first?["absence"] as? String)?.contains("program-ended") == true)
    }

    /// It hangs, and what it started goes on: both end with the command.
    @Test(arguments: ["TERM", "INT", "HUP"]) func aSignalLeavesNothing(signal: String) async throws {
        let program = try Program(
            "transport", Self.transport,
            """
            child = subprocess.Popen(['sleep', '600'])
                    open(__file__ + '.ids.new', 'w').write('%d %d' % (os.getpid(), child.pid))
                    os.rename(__file__ + '.ids.new', __file__ + '.ids')
                    time.sleep(600)
            """)
        let ids = program.path + ".ids"
        let outcome = try await Probe.shell(
            """
            set -m
            env --default-signal=HUP,INT,TERM "$0" check --plugin \(program.path) --backend faulty --timeout 500 127.0.0.1:1 > /dev/null 2>&1 &
            while [ ! -e \(ids) ] && kill -0 $! 2> /dev/null; do sleep 0.1; done
            kill -\(signal) $!; wait $!; echo "code $?"
            """)
        let numbers = try String(contentsOfFile: ids, encoding: .utf8).split(separator: " ").compactMap { pid_t($0) }
        #expect(numbers.count == 2)
        let code = ["TERM": 143, "INT": 130, "HUP": 129][signal] ?? 0
        #expect(outcome.output.contains("code \(code)"), "\(outcome.output)\(outcome.errors)")
        let end = ContinuousClock.now + .seconds(1500)
        for number in numbers {
            while kill(number, 0) == 0, .now < end { try await Task.sleep(for: .milliseconds(20)) }
            let isLeft = kill(number, 0) == 0
            #expect(!isLeft, "process \(number) is left")
            if isLeft { kill(number, SIGKILL) }
        }
    }
}
