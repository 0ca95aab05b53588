import Foundation
import ProbeExternal
import ProbeKit

/// A transport in Python that behaves as a test wants it to.
///
/// It answers handshakes with the failure `connection-refused`, whose message is its process id, unless `behaviour` does
/// something else. There `request` is the request, `count` how many there were in this life, and `answer` sends the reply.
final class FakeProgram: Sendable {
    let path: String
    private let folder: URL

    init(
        _ behaviour: String = "", hello: String = "send({'id': request['id'], **HELLO})", before: String = ""
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "fake-program-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "probe-transport-fake")
        path = file.path
        let script = """
            #!/usr/bin/python3
            import json, os, subprocess, sys, threading, time
            HELLO = {'type': 'hello', 'protocol': 1, 'kind': 'transport', 'name': 'fake', 'library': 'Fake', 'version': '1',
                     'capabilities': ['presented-chain', 'key-reading', 'trust-evaluation', 'version-range', 'sni',
                                      'http-head']}

            def send(message):
                sys.stdout.write(json.dumps(message) + '\\n')
                sys.stdout.flush()

            def refusal():
                return {'failure': {'code': 'connection-refused', 'message': str(os.getpid())}}

            def complete(**members):
                return {'address': '127.0.0.1:9', 'sni': 'good.test', 'chain': ['AQI='], 'keys': [{'spki': 'AwQ='}],
                        'version': '1.3', 'trust': {'accepted': True}, **members}

            def answer(request, **members):
                send({'id': request['id'], 'type': request['type'], 'report': refusal(), **members})

            \(before)
            count = 0
            for line in sys.stdin:
                request = json.loads(line)
                if request['type'] == 'hello':
                    \(hello)
                    continue
                count += 1
            \(behaviour.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }.joined(separator: "\n"))
                answer(request)
            """
        try Data(script.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the program as a transport. On a busy machine Python takes long to begin.
    func transport(patience: Duration = .seconds(1200)) async throws(ProgramFault) -> ExternalTransport {
        try await ExternalTransport(path: path, name: "fake", patience: patience)
    }
}

extension ExternalTransport {
    /// Asks for a handshake with a port, by which a fake program distinguishes requests.
    func ask(port: UInt16 = 9, seconds: Double = 1200) async throws -> HandshakeFailure? {
        let report = await handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: port), serverName: try ServerName("good.test"),
                anchors: .none, instant: Date(timeIntervalSince1970: 1_793_534_400),
                deadline: .after(.seconds(seconds))))
        return report.failure
    }
}
