import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// A program that was to make an HTTP request reports its result, or does not pass for one that did.
@Suite(.bounded) struct ExchangeReplyTests {
    private func request(deadline: Deadline) throws -> HandshakeRequest {
        let target = Target(name: try ServerName("good.test"))
        return HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
            instant: Date(timeIntervalSince1970: 0), deadline: deadline,
            exchange: HTTPExchange(with: target) { _ in true })
    }

    private static let far = Deadline.after(.seconds(1800))

    @Test func aMissingResultIsAFault() throws {
        let request = try request(deadline: Self.far)
        let approved = #expect(throws: WireError.self) {
            try ExternalTransport.exchanged(HandshakeReport(), of: request, approval: true)
        }
        #expect(approved?.description == "it lacks 'report.http', and the HTTP request was approved")
        let unasked = #expect(throws: WireError.self) {
            try ExternalTransport.exchanged(HandshakeReport(), of: request, approval: nil)
        }
        #expect(unasked?.description.contains("did not wait for the approval") == true)
    }

    @Test func aRefusalAndAFailureNeedNone() throws {
        let request = try request(deadline: Self.far)
        #expect(try ExternalTransport.exchanged(HandshakeReport(), of: request, approval: false).http == nil)
        let failed = HandshakeReport(failure: HandshakeFailure(.connectionReset, "gone"))
        for approval in [true, nil] {
            #expect(try ExternalTransport.exchanged(failed, of: request, approval: approval).http == nil)
        }
    }

    @Test func aResultNeedsAnApproval() throws {
        let request = try request(deadline: Self.far)
        var report = HandshakeReport()
        report.http = HTTPReport(.unavailable(reason: "closed"))
        #expect(try ExternalTransport.exchanged(report, of: request, approval: true).http == report.http)
        for approval in [false, nil] {
            #expect(throws: WireError.self) {
                try ExternalTransport.exchanged(report, of: request, approval: approval)
            }
        }
    }

    /// An approval that comes with the deadline is for no program to use; the report says so, as all backends do.
    @Test func theDeadlineIsNoFault() throws {
        let request = try request(deadline: .after(.zero))
        for approval in [true, nil] {
            let report = try ExternalTransport.exchanged(HandshakeReport(), of: request, approval: approval)
            #expect(report.http == HTTPReport(.unavailable(reason: HTTPExchange.lateness)))
        }
    }

    /// The whole way: what the program was approved for and does not report.
    @Test(arguments: [true, false]) func anApprovedRequestIsReported(isApproved: Bool) async throws {
        let program = try FakeProgram(
            """
            if request['type'] == 'handshake':
                asked = request
                send({'id': request['id'], 'type': 'approve', 'report': complete()})
            else:
                answer(asked, report=complete(http=None))
            continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                instant: Date(timeIntervalSince1970: 0), deadline: Self.far,
                exchange: HTTPExchange(with: target) { _ in isApproved }))
        await transport.stop()
        #expect(report.failure?.nativeCode == (isApproved ? "program-garbled" : nil))
        if isApproved { #expect(report.failure?.message.contains("'report.http'") == true) }
    }
}
