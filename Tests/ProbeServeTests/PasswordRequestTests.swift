import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// Requests and configurations in which a password was written.
@Suite(.bounded) struct PasswordRequestTests {
    private static let forms = [
        "tls://bob:s3cret@h.example", "https://bob:s3cret@h.example/", "ftp://bob:s3cret@h.example",
        "bob:s3cret@h.example:443", "**.bob:s3cret@h.example",
    ]
    private static let modules = """
        modules:
          web: {prober: http}
          tls: {prober: tcp, tcp: {tls: true}}
          txt: {prober: dns, dns: {query_name: a.test, query_type: TXT}}
          app: {prober: profile, profile: {file: app.yaml}}

        """
    private static let profile = "profile: 1\nunlistedHost: system\nservices: {api: {url: \"https://good.test\"}}\n"

    @Test("no answer repeats it") func answers() async throws {
        try await ServerUnderTest.run(Self.modules, files: ["app.yaml": Self.profile]) { server in
            for form in Self.forms {
                let text = try #require(form.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                var queries = ["web", "tls", "txt", "app"].map { "module=\($0)&target=\(text)" }
                queries += ["module=\(text)&target=a.test", "module=tls&target=127.0.0.1:1&hostname=\(text)"]
                for query in queries {
                    let answer = try await server.ask("/probe?\(query)")
                    #expect(answer.status == 400 && !answer.text.contains("s3cret"), "\(query) \(answer)")
                }
                #expect(try await !server.ask("/").text.contains("s3cret"))
            }
        }
    }

    @Test("no refusal of a configuration repeats it", arguments: forms) func configurations(form: String)
        async throws
    {
        for watched in ["{module: tls, target: '\(form)'}", "{module: '\(form)'}"] {
            try await ScratchFolder.with { folder in
                try ScratchFolder.write(Self.profile, to: "\(folder)/app.yaml")
                let text = Self.modules + "watch: {every: 10m, targets: [\(watched)]}\n"
                try ScratchFolder.write(text, to: "\(folder)/serve.yml")
                let error = try #require(throws: InputError.self) {
                    try ServeConfiguration.read("\(folder)/serve.yml", policies: [:])
                }
                #expect(!"\(error)".contains("s3cret"), "\(error)")
            }
        }
    }
}
