extension HandshakeFailure {
    /// The fix for a failure of the backend itself, whether the handshake failed of it or the trust decision is missing.
    package var backendFix: Fix {
        switch cause {
        case .programFault, .programHung:
            "run the program by itself, and compare its output with Plugins/PROTOCOL.md"
        case .programBusy: "look at the program's other failures, or \(.allowTime)"
        case .programReport: "report this to the author of the backend's program, with the line above"
        default: "report this, with the line above"
        }
    }
}
