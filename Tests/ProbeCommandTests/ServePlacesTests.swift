import Testing

@testable import ProbeCommand

/// A server begins no more probes than it has descriptors for.
@Suite struct ServePlacesTests {
    @Test(
        "of too few descriptors probes have half, and what they leave is for scrapers",
        arguments: [
            (10_000, 64, 4096), (4864, 64, 4096), (1024, 42, 512), (128, 5, 64), (24, 1, 12), (3, 1, 2), (0, 1, 1),
        ])
    func places(_ descriptors: Int, probes: Int, connections: Int) {
        let places = ServePlaces(probes: 64, each: 12, connections: 4096, addresses: 1) { min($0, descriptors) }
        #expect(places.probes == probes && places.connections == connections, "\(places)")
        #expect(probes == 1 || probes * 12 + connections <= descriptors)
    }

    @Test("many probes run where there are descriptors for them") func manyProbes() {
        let places = ServePlaces(probes: 4096, each: 19, connections: 4096, addresses: 2) { $0 }
        #expect(places.probes == 4096 && places.connections == 4096)
    }

    @Test("addresses share the connections") func addresses() {
        let places = ServePlaces(probes: 2, each: 8, connections: 4096, addresses: 2) { min($0, 216) }
        #expect(places.probes == 2 && places.connections == 100)
    }
}
