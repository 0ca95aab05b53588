import ProbeKit
import ProbeNet
import ProbeRun
import Synchronization
import Testing

@testable import ProbeScan

/// The division of a check by the addresses of its target.
@Suite struct AddressChoiceTests {
    private static let known: [String: [String]] = [
        "both.test": ["192.0.2.1", "2001:db8::1", "192.0.2.2"], "old.test": ["192.0.2.3"],
        "new.test": ["2001:db8::4"],
    ]

    private func choice(_ family: FamilyChoice? = nil, isEach: Bool = false) -> AddressChoice {
        AddressChoice(
            isEach: isEach, family: family,
            lookup: HostLookup { name in
                Self.known[name].map { .success($0.compactMap(IPAddress.init)) }
                    ?? .failure(name == "late.test" ? .late : LookupFailure(code: name == "lost.test" ? -3 : -2))
            })
    }

    private func check(_ target: String, alternates: [String] = []) throws -> Check {
        Check(
            target: try Target(target), alternates: try alternates.map { try Target($0) }, anchors: .none,
            timeout: .seconds(3600))
    }

    /// Each part's words, and the places that it dials; a failure's code where there is none.
    private func parts(_ check: Check, _ choice: AddressChoice) async -> [String] {
        await choice.checks(of: check).map { part in
            if case .absent(let failure) = part.route { return "\(part.subject): \(failure.code.rawValue)" }
            return "\(part.subject): "
                + ([part.target] + part.alternates).map { "\($0.endpoint)" }.joined(separator: " ")
        }
    }

    @Test func everyAddressIsAPart() async throws {
        let check = try check("both.test:8443")
        #expect(await parts(check, choice()) == ["both.test:8443: both.test:8443"])
        let (four, six, last) = ("192.0.2.1", "2001:db8::1", "192.0.2.2")
        #expect(
            await parts(check, choice(isEach: true)) == [
                "both.test:8443 at \(four): \(four):8443", "both.test:8443 at \(six): [\(six)]:8443",
                "both.test:8443 at \(last): \(last):8443",
            ])
        #expect(
            await parts(check, choice(.ipv6, isEach: true)) == ["both.test:8443 at \(six): [\(six)]:8443"])
        // A name without addresses is the transports' to report.
        #expect(await parts(try self.check("none.test"), choice(isEach: true)) == ["none.test:443: none.test:443"])
    }

    /// A stack that accepts the dialled address in place of the name does so at the name's own addresses alone.
    @Test func anAddressOfTheTargetsOwnNameIsMarked() async throws {
        let elsewhere = ["both.test:443", "192.0.2.1:443"]
        for division in [choice(.ipv4), choice(isEach: true)] {
            let own = await division.checks(of: try check("both.test"))
            #expect(own.allSatisfy { check in check.targets.allSatisfy(\.isAtOwnAddress) })
            for place in elsewhere {
                let other = Check(
                    target: try Target("shop.test", connect: Endpoint(place)), anchors: .none, timeout: .seconds(3600))
                let parts = await division.checks(of: other)
                #expect(!parts.isEmpty && parts.allSatisfy { !$0.target.isAtOwnAddress }, "\(place)")
            }
        }
    }

    /// The port of a target is in its name already.
    @Test func aPartShowsAPortOfItsOwn() throws {
        let (four, six) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("2001:db8::1")))
        #expect("\(AddressPart.address(four))" == "at 192.0.2.1")
        #expect("\(AddressPart.address(four, port: 8443))" == "at 192.0.2.1:8443")
        #expect("\(AddressPart.address(six, port: 8443))" == "at [2001:db8::1]:8443")
    }

    @Test func theAddressesOfAFamilyAreDialledInTurn() async throws {
        let four = "both.test:443 over IPv4: 192.0.2.1:443 192.0.2.2:443"
        #expect(await parts(try check("both.test"), choice(.ipv4)) == [four])
        #expect(
            await parts(try check("both.test"), choice(.both)) == [
                four, "both.test:443 over IPv6: [2001:db8::1]:443",
            ])
        // An alternate stands in with its addresses of the family.
        #expect(
            await parts(try check("old.test", alternates: ["new.test"]), choice(.ipv6)) == [
                "new.test:443 over IPv6: [2001:db8::4]:443"
            ])
    }

    @Test func aFamilyWithoutAnAddressFails() async throws {
        #expect(
            await parts(try check("old.test"), choice(.both)) == [
                "old.test:443 over IPv4: 192.0.2.3:443", "old.test:443 over IPv6: no-address-of-family",
            ])
        #expect(
            await parts(try check("192.0.2.9"), choice(.ipv6, isEach: true)) == [
                "192.0.2.9:443 over IPv6: no-address-of-family"
            ])
        for (name, code) in [
            ("none.test", "name-not-found"), ("late.test", "connect-timeout"), ("lost.test", "name-lookup-failed"),
        ] {
            #expect(await parts(try check(name), choice(.ipv4)) == ["\(name):443 over IPv4: \(code)"])
        }
    }

    /// A proxy would look the name up where we could not, and its one connection would pass for all addresses.
    @Test func aProxyDoesNotStandInForALookup() async throws {
        let proxied = try check("none.test").taking(
            .proxy(try HandshakeRequest.Proxy("http://192.0.2.1:3128")))
        let parts = await choice(isEach: true).parts(of: proxied)
        #expect(parts.count == 1)
        guard case .absent(let failure)? = parts.first?.route else {
            Issue.record("\(parts)")
            return
        }
        #expect(failure.code == .nameNotFound)
    }

    /// A watch whose first lookup failed finds the addresses that there are later.
    @Test func aPartWithoutAnAddressIsFoundAnew() async throws {
        let isUp = Mutex(false)
        let choice = AddressChoice(
            isEach: true,
            lookup: HostLookup { _ in
                isUp.withLock { $0 }
                    ? .success(["192.0.2.7"].compactMap { IPAddress($0) }) : .failure(LookupFailure(code: -3))
            })
        let check = try check("back.test").taking(.proxy(try HandshakeRequest.Proxy("http://192.0.2.1:3128")))
        let part = try #require(await choice.watched(of: check).first)
        #expect(part.isAbsent)
        #expect(await choice.part(part, of: check).isAbsent)
        isUp.withLock { $0 = true }
        let found = await choice.part(part, of: check)
        #expect(!found.isAbsent && found.subject.contains("192.0.2.7"), "\(found.subject)")
    }

    /// Eight at a time, each row with an equal part of the time.
    @Test func partsShareTheTime() async throws {
        let many = AddressChoice(
            isEach: true,
            lookup: HostLookup { _ in .success((1...17).compactMap { IPAddress("192.0.2.\($0)") }) })
        let times = await many.checks(of: try check("many.test")).map(\.timeout)
        #expect(times.count == 17 && times.allSatisfy { $0 <= .seconds(1200) && $0 > .seconds(600) })
    }
}
