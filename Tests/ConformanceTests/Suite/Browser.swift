import Foundation
import ProbePlatform
import Subprocess

/// A page in headless Chromium, driven as the DevTools protocol has it over pipes: JSON messages that end in NUL.
///
/// It is used by one task, within the closure it is given to.
final class Browser {
    /// The browser failed.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The program; Debian's package has the same name.
    static let program = "chromium-shell"

    private let input: StandardInputWriter
    private var output: SubprocessOutputSequence.AsyncIterator
    private var received = Data()
    private var count = 0
    private var session: String?

    private init(_ input: StandardInputWriter, _ output: SubprocessOutputSequence.AsyncIterator) {
        self.input = input
        self.output = output
    }

    /// Opens a file or an `http://` address, and ends the browser with all its processes when `body` is done, or after ten minutes.
    static func open<Result: Sendable>(
        _ path: String, in folder: String, _ body: (Browser) async throws -> Result
    ) async throws -> Result {
        // The pipes are expected at 3 and 4; root has no sandbox.
        let line = """
            exec timeout -s KILL 600 \(program) --headless \(geteuid() == 0 ? "--no-sandbox" : "") --disable-gpu \
            --user-data-dir="$0" --remote-debugging-pipe about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1
            """
        var options = PlatformOptions()
        options.createSession = true
        let outcome = try await Subprocess.run(
            .name("bash"), arguments: ["-c", line, folder], platformOptions: options, input: .inputWriter,
            output: .sequence, error: .discarded
        ) { execution in
            let browser = Browser(execution.standardInputWriter, execution.standardOutput.makeAsyncIterator())
            defer { try? execution.send(signal: .kill, toProcessGroup: true) }
            try await browser.load(path)
            return try await body(browser)
        }
        return outcome.closureResult
    }

    /// Returns the value of a JavaScript expression as text.
    ///
    /// - Parameter awaits: true for a promise, whose result is text.
    func evaluate(_ expression: String, awaits: Bool = false) async throws -> String {
        let answer = try await call(
            "Runtime.evaluate",
            ["expression": awaits ? expression : "String(\(expression))", "returnByValue": true, "awaitPromise": true])
        guard let value = (answer["result"] as? [String: Any])?["value"] as? String else {
            throw Failure(description: "\(expression): \(answer)")
        }
        return value
    }

    /// Presses a key as a user does.
    ///
    /// - Parameter text: the text that the key types; nil if it types none.
    func press(_ key: String, code: Int, text: String? = nil) async throws {
        for type in [text == nil ? "rawKeyDown" : "keyDown", "keyUp"] {
            var event: [String: Any] = ["type": type, "key": key, "code": key, "windowsVirtualKeyCode": code]
            if type == "keyDown" { event["text"] = text }
            _ = try await call("Input.dispatchKeyEvent", event)
        }
    }

    /// Shows the page in a window of this width, by a light or a dark scheme.
    func show(width: Int, isDark: Bool) async throws {
        _ = try await call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
        _ = try await call(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]]])
    }

    /// Returns a picture of the whole page, as PNG.
    func picture() async throws -> Data {
        let answer = try await call("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        return (answer["data"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
    }

    /// Clicks the middle of the first element that a selector finds, as a user does.
    func click(_ selector: String) async throws {
        let place = try await evaluate(
            """
            (() => { const e = document.querySelector(\(Self.json(selector)));
            e.scrollIntoView({ block: "center", inline: "center" });
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()
            """
        ).split(separator: ",").compactMap { Double($0) }
        guard place.count == 2 else { throw Failure(description: "\(selector) is nowhere") }
        for type in ["mousePressed", "mouseReleased"] {
            _ = try await call(
                "Input.dispatchMouseEvent",
                ["type": type, "x": place[0], "y": place[1], "button": "left", "clickCount": 1])
        }
    }

    private func load(_ path: String) async throws {
        let target = try await call("Target.createTarget", ["url": "about:blank", "width": 1400, "height": 900])
        let attached = try await call(
            "Target.attachToTarget", ["targetId": target["targetId"] as? String ?? "", "flatten": true])
        session = attached["sessionId"] as? String
        _ = try await call(
            "Emulation.setDeviceMetricsOverride",
            ["width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": false])
        let scheme = path.hasPrefix("http://") ? "http:" : "file:"
        _ = try await call("Page.navigate", ["url": scheme == "http:" ? path : "file://\(path)"])
        let end = ContinuousClock.now + .seconds(1500)
        while try await evaluate("document.readyState + location.protocol") != "complete\(scheme)" {
            guard .now < end else { throw Failure(description: "\(path) does not load") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func call(_ method: String, _ parameters: [String: Any]) async throws -> [String: Any] {
        count += 1
        var message: [String: Any] = ["id": count, "method": method, "params": parameters]
        message["sessionId"] = session
        _ = try await input.write(Array(try JSONSerialization.data(withJSONObject: message)) + [0])
        while true {
            let answer = try await receive()
            guard answer["id"] as? Int == count else { continue }
            guard let result = answer["result"] as? [String: Any] else {
                throw Failure(description: "\(method): \(answer)")
            }
            return result
        }
    }

    private func receive() async throws -> [String: Any] {
        while true {
            if let end = received.firstIndex(of: 0) {
                let message = received[received.startIndex..<end]
                received = Data(received[(end + 1)...])
                return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
            }
            guard let buffer = try await output.next() else {
                throw Failure(description: "\(Self.program) has ended")
            }
            received += unsafe buffer.withUnsafeBytes { unsafe Data($0) }
        }
    }

    private static func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }
}
