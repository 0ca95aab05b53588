import ProbeKit
import ProbePlatform
import ProbeRun

/// Client identities from files, read by this build's reader.
enum ClientIdentities {
    /// Reads an identity; a passphrase that is missing is asked for on the terminal.
    static func read(_ files: IdentityFiles) throws(InputError) -> ClientIdentity {
        guard let reader = Backends.current.identities else {
            throw InputError("this build reads no client certificates", remedy: "use one that does")
        }
        return try files.read(by: reader, tokens: Backends.current.tokens, asking: PassphrasePrompt.ask)
    }
}

/// The question for a passphrase on the terminal, which does not show it.
enum PassphrasePrompt {
    private static let longest = 1024

    /// Asks once; nil without a terminal, or without an answer.
    static func ask(_ question: String) -> Secret? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var shown = termios()
        guard unsafe tcgetattr(terminal, &shown) == 0 else { return nil }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer { _ = unsafe tcsetattr(terminal, TCSAFLUSH, &shown) }
        write(question, to: terminal)
        defer { write("\n", to: terminal) }
        let answer = unsafe Secret(capacity: longest) { room in
            unsafe max(0, ProbePlatform.read(terminal, room.baseAddress, room.count))
        }
        return answer.count > 0 ? answer : nil
    }

    private static func write(_ text: String, to terminal: CInt) {
        let bytes = Array(text.utf8)
        _ = unsafe ProbePlatform.write(terminal, bytes, bytes.count)
    }
}
