import ProbeKit
import ProbeNet
import Testing

@testable import ProbeOpenSSL

/// OpenSSL's errors in the words of libcurl, which takes them off the queue.
@Suite struct OpenSSLErrorTextTests {
    private static func words(_ error: String) -> String {
        "OpenSSL SSL_read: OpenSSL/3.0.19: \(error), errno 0"
    }

    @Test("an error is what it would be in the queue") func errors() throws {
        // Without the library's own start its errors have no words.
        _ = try OpenSSLContext()
        let error = try #require(
            OpenSSLError(in: Self.words("error:0A0001BB:SSL routines::bad record type"), "reading"))
        #expect(error.code == "error:0A0001BB" && error.message == "reading: bad record type")
        #expect(error.sslReason == 443 && error.cmsReason == nil && error.alert == nil)
        let signature = try #require(
            OpenSSLError(in: Self.words("error:1700009E:CMS routines::verification failure"), "reading"))
        #expect(signature.code == "error:1700009E" && signature.sslReason == nil && signature.cmsReason == 158)
    }

    @Test(
        "words without one have none",
        arguments: ["", "Recv failure: Connection reset by peer", "error:", "an error: 0A0001BB", "error:0A00"])
    func others(text: String) {
        #expect(OpenSSLError(in: text, "reading") == nil)
        #expect(RecordFailure(ofOpenSSLIn: text, below: "CURLE_RECV_ERROR") == nil)
    }

    @Test("an alert is one, and an end without close_notify is a close") func endings() {
        let refused = RecordFailure(
            ofOpenSSLIn: Self.words("error:0A00045C:SSL routines::tlsv13 alert certificate required"),
            below: "CURLE_RECV_ERROR")
        #expect(refused?.alert == .certificateRequired)
        #expect(refused?.nativeCode == "CURLE_RECV_ERROR error:0A00045C")
        #expect(refused?.afterHandshake.code == .alertReceived && refused?.afterHandshake.isAfterHandshake == true)
        let ended = RecordFailure(
            ofOpenSSLIn: Self.words("error:0A000126:SSL routines::unexpected eof while reading"), below: "")
        #expect(ended == .closed)
    }
}
