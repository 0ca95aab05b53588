import ProbeTestSupport
import Testing

/// The file that `probe lab` writes without being asked for one.
@Suite(.bounded) struct LabCommandTests {
    /// Output that fails ends the process in the middle of it.
    @Test("its name can't be foreseen, so that no link leads it to another file, and it goes with the lab")
    func ownFile() async throws {
        try await ScratchFolder.with { folder in
            let outcome = try await Probe.shell(
                """
                cd '\(folder)' && mkdir temporary && echo mine > file
                (ln -s ../file temporary/probe-lab-$BASHPID.pem
                TMPDIR=$PWD/temporary exec "$0" lab > /dev/full); echo $?
                cat file; rm temporary/probe-lab-*.pem; ls -A temporary
                """)
            #expect(outcome.output == "70\nmine\n", "\(outcome)")
        }
    }

    @Test("it is in /tmp where TMPDIR is not an absolute path", arguments: ["", "temporary"])
    func withoutPlace(variable: String) async throws {
        try await ScratchFolder.with { folder in
            let outcome = try await Probe.shell(
                """
                cd '\(folder)' && mkdir temporary; export TMPDIR=\(variable)
                timeout -s KILL 600 "$0" lab > out & lab=$!
                for _ in $(seq 5000); do grep -q dns-ca out && break; sleep 0.02; done
                sed -n 's/.*its CA is \\(.*\\)probe-.*\\. Ctrl-C.*/\\1/p' out
                pkill -INT -P $lab; wait $lab; ls -A temporary
                """)
            #expect(outcome.output == "/tmp/\n", "\(outcome)")
        }
    }

    @Test("it is there while the lab is, and readable by its user alone") func whileItRuns() async throws {
        try await ScratchFolder.with { folder in
            let outcome = try await Probe.shell(
                """
                cd '\(folder)' && mkdir temporary; export TMPDIR=$PWD/temporary
                timeout -s KILL 600 "$0" lab > out & lab=$!
                for _ in $(seq 5000); do grep -q dns-ca out && break; sleep 0.02; done
                ca=$(sed -n 's/.*its CA is \\(.*\\)\\. Ctrl-C.*/\\1/p' out)
                grep -q BEGIN "$ca" && stat -c %a "$(dirname "$ca")"
                pkill -INT -P $lab; wait $lab; echo $?; ls -A temporary
                """)
            #expect(outcome.output == "700\n0\n", "\(outcome)")
        }
    }
}
