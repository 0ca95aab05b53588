import ProbeKit
import Testing

@testable import TransportCurl

/// The connections that libcurl is given, because it would open others.
@Suite struct OpeningTests {
    /// It takes these names for this machine, whatever the system's lookup has for them.
    @Test(arguments: [
        ("localhost", true), ("shop.localhost", true), ("a.b.localhost", true), ("notlocalhost", false),
        ("localhost.test", false), ("good.test", false), ("127.0.0.1", false),
    ])
    func namesOfThisMachineAreLookedUp(name: String, isNeeded: Bool) throws {
        let request = try Fixture.request(to: Endpoint(host: try ServerName(name), port: 443))
        #expect(CurlOpening.isNeeded(for: request) == isNeeded)
    }
}
