import Foundation
import FoundationNetworking
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import Subprocess
import SystemPackage
import Testing

/// `probe serve` from the command line.
@Suite(.bounded) struct ServeCommandTests {
    private static let pki = LabPKI(epoch: .now)
    private static let modules = """
        modules:
          tls: {prober: tcp, tcp: {tls: true, tls_config: {ca_file: ca.pem, server_name: good.test}}}
        """

    private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        try await ScratchFolder.with { folder in
            try write(Self.modules, "\(folder)/serve.yml")
            try write(try Self.pki.rootPEM(), "\(folder)/ca.pem")
            return try await body(folder)
        }
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Returns the text behind an address, and its status.
    private func get(_ url: String) async throws -> (status: Int, text: String) {
        let request = URLRequest(url: try #require(URL(string: url)), timeoutInterval: 60)
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    @Test func aConfigurationIsChecked() async throws {
        try await withFolder { folder in
            let arguments = ["serve", "--config.file", "\(folder)/serve.yml", "--config.check"]
            let fine = try await Probe.run(arguments)
            #expect(fine.code == 0 && fine.output == "\(folder)/serve.yml can be served\n", "\(fine.errors)")
            try write("modules:\n  web:\n    prober: http\n    http:\n      body: x\n", "\(folder)/serve.yml")
            let refused = try await Probe.run(arguments)
            #expect(refused.code == 65)
            #expect(
                refused.errors.contains("serve.yml:5: 'modules.web.http.body' asks for what this exporter does not do"))
        }
    }

    @Test("a watched target that may not be probed is refused at the check, and a store without a watch is reported")
    func theWatchIsChecked() async throws {
        try await withFolder { folder in
            let serve = ["serve", "--config.file", "\(folder)/serve.yml"]
            let stored = try await Probe.run(serve + ["--config.check", "--store", "\(folder)/new.db"])
            #expect(
                stored.code == 0 && stored.errors.contains("the configuration watches nothing"), "\(stored.errors)")
            try write(Self.modules + "\nwatch: {targets: [{module: tls, target: 'a.test:1'}]}\n", "\(folder)/serve.yml")
            let watched = try await Probe.run(serve + ["--config.check", "--store", "\(folder)/new.db"])
            #expect(watched.code == 0 && !watched.errors.contains("watches nothing"), "\(watched.errors)")
            for arguments in [serve, serve + ["--config.check"]] {
                let refused = try await Probe.run(arguments + ["--allow-target", "b.test"])
                #expect(
                    refused.code == 65
                        && refused.errors.contains("serve.yml:3: 'watch.targets[0].target' leads to 'a.test'"),
                    "\(refused.errors)")
            }
        }
    }

    @Test("an address to listen on is given once") func theSameAddress() async throws {
        try await withFolder { folder in
            let twice = ["127.0.0.1:9115", "127.0.0.1:0", "127.0.0.1:9115"].flatMap { ["--web.listen-address", $0] }
            let refused = try await Probe.run(
                ["serve", "--config.file", "\(folder)/serve.yml", "--config.check"] + twice)
            #expect(
                refused.code == 64 && refused.errors.contains("--web.listen-address 127.0.0.1:9115 is given twice"),
                "\(refused.errors)")
        }
    }

    @Test("warnings about a platform's file are printed") func warningsOfAPlatformFile() async throws {
        try await withFolder { folder in
            try write("modules: {app: {prober: profile, profile: {file: nsc.xml}}}\n", "\(folder)/serve.yml")
            try write(
                "<network-security-config><domain-config><domain>*.a.test</domain></domain-config></network-security-config>",
                "\(folder)/nsc.xml")
            let checked = try await Probe.run(["serve", "--config.file", "\(folder)/serve.yml", "--config.check"])
            #expect(checked.code == 0)
            #expect(checked.errors.contains("module \"app\": nsc.xml: '*.a.test' has a wildcard"), "\(checked.errors)")
        }
    }

    @Test("it serves, takes SIGHUP and ends at SIGTERM with what was begun, and reports that to systemd")
    func signals() async throws {
        try await withFolder { folder in
            let manager = try NotifiedManager(at: "\(folder)/notify")
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
                let arguments = [
                    "-s", "KILL", "1500", Probe.path, "serve", "--config.file", "\(folder)/serve.yml",
                    "--web.listen-address", "127.0.0.1:0", "--allow-network", "127.0.0.0/8", "--backend", "gnutls",
                ]
                let endpoint = peer.endpoint
                let ended = try await Subprocess.run(
                    .name("timeout"), arguments: Arguments(arguments),
                    environment: .inherit.updating(["NOTIFY_SOCKET": "\(folder)/notify"]), input: .none,
                    output: .sequence, error: .discarded
                ) { execution in
                    var text = ""
                    for try await buffer in execution.standardOutput {
                        text += unsafe buffer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
                        guard text.hasSuffix("\n") else { continue }
                        let base = try #require(text.wholeMatch(of: #/listening on (http:.*)\n/#)?.1)
                        let answer = try await get("\(base)/probe?module=tls&target=\(endpoint)")
                        #expect(answer.status == 200 && answer.text.contains("\nprobe_success 1\n"))
                        #expect(answer.text.contains("gnutls") && !answer.text.contains("openssl"))
                        try write(Self.modules.replacing("tls: {prober", with: "other: {prober"), "\(folder)/serve.yml")
                        try execution.send(signal: .terminalClosed)
                        while try await get("\(base)/probe?module=tls&target=\(endpoint)").status != 400 {
                            try await Task.sleep(for: .milliseconds(20))
                        }
                        try execution.send(signal: .terminate)
                    }
                }
                #expect(ended.terminationStatus == .exited(0))
                #expect(manager.messages == ["READY=1", "STOPPING=1"])
            }
        }
    }

    /// Signals of half a second are one request to end, so others follow until one is a second.
    @Test("a second signal ends it at once, with a probe under way") func theSecondSignal() async throws {
        try await withFolder { folder in
            try await LabServer.run(.silent, pki: Self.pki) { peer in
                let question = "module=tls&target=\(peer.endpoint)"
                let ended = Task {
                    try await Probe.shell(
                        """
                        cd '\(folder)'; timeout -s KILL 1500 "$0" serve --config.file serve.yml --backend gnutls \
                            --web.listen-address 127.0.0.1:0 --allow-network 127.0.0.0/8 > listening &
                        server=$!
                        until base=$(sed -n 's/^listening on //p' listening) && [ -n "$base" ]; do
                            kill -0 $server || exit 1; sleep 0.05
                        done
                        curl --noproxy '*' -s "$base/probe?\(question)" &
                        for _ in $(seq 50000); do [ -e go ] && break; sleep 0.02; done
                        for _ in 1 2 3 4 5 6; do pkill -TERM -P $server || break; sleep 0.6; done
                        wait $server; echo $? >&2
                        """)
                }
                let limit = ContinuousClock.now + .seconds(1500)
                while peer.acceptedConnections == 0, .now < limit { try await Task.sleep(for: .milliseconds(10)) }
                let stopwatch = Stopwatch()
                try write("", "\(folder)/go")
                let outcome = try await ended.value
                #expect(outcome.errors.split(separator: "\n").last == "0", "\(outcome.errors)")
                #expect(stopwatch.elapsed < .seconds(30))
            }
        }
    }

    /// As many requests as this machine has processors took all of Swift's threads before.
    @Test("readings of the configuration that hang keep nobody waiting, and not the end") func hangingReadings()
        async throws
    {
        try await withFolder { folder in
            let ended = try await Probe.shell(
                """
                cd '\(folder)'; timeout -s KILL 1500 "$0" serve --config.file serve.yml --web.listen-address 127.0.0.1:0 \
                    --backend gnutls > listening 2> errors & server=$!
                until base=$(sed -n 's/^listening on //p' listening) && [ -n "$base" ]; do
                    kill -0 $server || exit 1; sleep 0.05
                done
                rm serve.yml; mkfifo serve.yml
                for n in $(seq \(ProcessInfo.processInfo.activeProcessorCount + 2)); do
                    curl --noproxy '*' -s -X POST "$base/-/reload" > answer.$n & asking="$asking $!"
                done
                # It is open as soon as a reading has begun, which waits for a text then.
                exec 9> serve.yml
                pkill -HUP -P $server
                for _ in $(seq 50); do
                    curl --noproxy '*' -s -m 300 "$base/-/healthy" || { pkill -KILL -P $server; exit 1; }
                done
                kill $server; wait $server; echo "ended with $?"; wait $asking; cat answer.*
                """)
            #expect(ended.code == 0, "\(ended.errors)")
            #expect(ended.output.contains("ended with 0\n"), "\(ended.output)")
            #expect(ended.output.contains("the server ends before serve.yml was read"), "\(ended.output)")
        }
    }

    /// The pipe is open for writing as soon as the server waits for its text.
    @Test("SIGHUP before it listens does not end it, and a later one is taken") func earlyHangUp() async throws {
        try await withFolder { folder in
            let ended = try await Probe.shell(
                """
                cd '\(folder)'; mv serve.yml modules.yml; mkfifo serve.yml
                timeout -s KILL 1500 "$0" serve --config.file serve.yml --web.listen-address 127.0.0.1:0 \
                    --backend gnutls > listening 2> errors & server=$!
                exec 9> serve.yml
                pkill -HUP -P $server; cat modules.yml >&9; exec 9>&-
                until base=$(sed -n 's/^listening on //p' listening) && [ -n "$base" ]; do
                    kill -0 $server || exit 1; sleep 0.05
                done
                rm serve.yml; sed 's/tls: {prober/later: {prober/' modules.yml > serve.yml
                pkill -HUP -P $server
                until curl --noproxy '*' -s "$base/config" | grep -q later; do
                    kill -0 $server || exit 2; sleep 0.05
                done
                kill $server; wait $server
                """)
            #expect(ended.code == 0, "\(ended.errors)")
        }
    }

    @Test("messages about --store have its own word") func wordsOfTheStore() async throws {
        try await withFolder { folder in
            let serve = ["serve", "--config.file", "\(folder)/serve.yml", "--config.check", "--store"]
            let file = "\(folder)/others.db"
            try write("", file)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
            for (value, part) in [
                (file, "--store: others can write to the store '\(file)'"), ("-", "--store - is not a file"),
                ("", "--store is empty"),
            ] {
                let refused = try await Probe.run(serve + [value])
                #expect(refused.code != 0 && refused.errors.contains(part), "\(value): \(refused.errors)")
                #expect(!refused.errors.contains("cache"), "\(value): \(refused.errors)")
            }
        }
    }

    @Test("a configuration from standard input can't be read anew, and goes on to count") func standardInput()
        async throws
    {
        try await withFolder { folder in
            let ended = try await Probe.shell(
                """
                cd '\(folder)'; timeout -s KILL 1500 "$0" serve --config.file - --web.listen-address 127.0.0.1:0 \
                    --backend gnutls < serve.yml > listening 2> errors & server=$!
                until base=$(sed -n 's/^listening on //p' listening) && [ -n "$base" ]; do
                    kill -0 $server || exit 1; sleep 0.05
                done
                curl --noproxy '*' -s -X POST "$base/-/reload"; curl --noproxy '*' -s "$base/metrics" | grep successful
                kill $server; wait $server
                """)
            #expect(ended.code == 0, "\(ended.errors)")
            #expect(ended.output.contains("came from standard input"), "\(ended.output)")
            #expect(ended.output.contains("config_last_reload_successful 1"), "\(ended.output)")
        }
    }

    @Test("the unit for systemd leaves the server little that it does not need") func unit() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
            try skip("systemd-analyze is not installed")
        }
        let unit = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Examples/systemd/probe-serve.service")
        let rated = try await Subprocess.run(
            .name("systemd-analyze"), arguments: ["security", "--offline=true", "--threshold=15", unit.path],
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        #expect(rated.terminationStatus == .exited(0), "\(rated.standardError)\(rated.standardOutput.suffix(300))")
    }

    @Test("the last verdicts of the watch survive kill -9") func killed() async throws {
        try await withFolder { folder in
            let state = "\(folder)/state"
            try FileManager.default.createDirectory(
                atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let arguments = [
                "serve", "--config.file", "\(folder)/serve.yml", "--web.listen-address", "127.0.0.1:0",
                "--allow-network", "127.0.0.0/8", "--backend", "gnutls", "--store", state,
            ]
            let question = try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
                let watched = "targets: [{module: tls, target: '\(peer.endpoint)'}]}\n"
                // A visit that this machine was too late for gives no verdict, and another comes soon.
                try write(Self.modules + "\nwatch: {every: 1s, \(watched)", "\(folder)/serve.yml")
                let question = "/probe?module=tls&target=\(peer.endpoint)"
                try await served(arguments) { base in
                    while try await !get("\(base)/").text.contains("mark pass") {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                try write(Self.modules + "\nwatch: {every: 1h, \(watched)", "\(folder)/serve.yml")
                return question
            }
            // Nobody answers for the target any more, and nobody asks it.
            try await served(arguments) { base in
                while try await get("\(base)/").text.contains("Not asked yet") {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let answer = try await get("\(base)\(question)").text
                #expect(answer.contains("\nprobe_success 1\n") && answer.contains("probe_watch_timestamp_seconds"))
            }
        }
    }

    /// Runs a server for the length of a closure, which gets its URL, and kills it.
    private func served(_ arguments: [String], _ body: (String) async throws -> Void) async throws {
        let ended = try await Subprocess.run(
            .path(FilePath(Probe.path)), arguments: Arguments(arguments), input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            var text = ""
            for try await buffer in execution.standardOutput {
                text += unsafe buffer.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
                guard let base = text.wholeMatch(of: #/listening on (http:.*)\n/#)?.1 else { continue }
                let result: Result<Void, any Error>
                do { result = .success(try await body(String(base))) } catch { result = .failure(error) }
                try execution.send(signal: .kill)
                try result.get()
            }
        }
        #expect(ended.terminationStatus == .signaled(9))
    }

    @Test func aPortThatIsTaken() async throws {
        try await withFolder { folder in
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { peer in
                let outcome = try await Probe.run([
                    "serve", "--config.file", "\(folder)/serve.yml", "--web.listen-address", "\(peer.endpoint)",
                ])
                #expect(outcome.code == 64)
                #expect(
                    outcome.errors.contains("can't listen on \(peer.endpoint): Address already in use;"),
                    "\(outcome.errors)")
            }
        }
    }
}

/// A service manager's socket (sd_notify(3)).
private final class NotifiedManager {
    private let descriptor: CInt

    init(at path: String) throws {
        descriptor = socket(AF_UNIX, Platform.datagram, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "\(path) can't be bound")
    }

    deinit { close(descriptor) }

    /// The messages that have come.
    var messages: [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { return messages }
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
