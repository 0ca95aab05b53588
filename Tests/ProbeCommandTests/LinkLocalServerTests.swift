import Foundation
import ProbeTestSupport
import Testing

/// A real server on a link-local address, in a network of its own: only who names the link reaches it.
@Suite(.bounded, .serialized) struct LinkLocalServerTests {
    private static func canRun() async -> Bool {
        let tools = "command -v unbound ip && unshare -rn ip link set lo up"
        return (try? await Probe.shell("PATH=$PATH:/usr/sbin:/sbin; \(tools)"))?.code == 0
    }

    @Test(.enabled("unbound, iproute2 and user namespaces are needed") { await canRun() }) func theLinkIsDialled()
        async throws
    {
        try await ScratchFolder.with { folder in
            let configuration = """
                server:
                  interface: fe80::53%lo@5300
                  access-control: ::/0 allow
                  username: ""
                  chroot: ""
                  directory: "\(folder)"
                  pidfile: ""
                  use-syslog: no
                  local-zone: "." refuse
                  local-data: 'models.test. TXT "dc,florida"'
                remote-control:
                  control-enable: no
                """
            try configuration.write(toFile: "\(folder)/conf", atomically: true, encoding: .utf8)
            let ask = "\"$0\" models models.test --model florida --dns-server '[fe80::53%lo]:5300'"
            // The shell is the first process of the network; with it the server ends.
            let script = """
                ip link set lo up && ip addr add fe80::53/64 dev lo nodad || exit 99
                unbound -d -c '\(folder)/conf' >/dev/null 2>&1 &
                server=$!
                for round in $(seq 100); do
                  \(ask) --resolver ldns --timeout 2 >/dev/null && break
                  sleep 0.1
                done
                \(ask) --resolver ldns,cares,unbound
                code=$?
                kill $server
                wait $server
                exit $code
                """
            let outcome = try await Probe.shell(
                "PATH=$PATH:/usr/sbin:/sbin; exec timeout 1500 unshare -rn bash -c '\(script.replacing("'", with: "'\\''"))' \"$0\""
            )
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.output.contains("as [fe80::53%lo]:5300 answers"), "\(outcome)")
        }
    }
}
