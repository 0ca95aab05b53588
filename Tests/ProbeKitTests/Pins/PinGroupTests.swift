import ProbeKit
import ProbePins
import ProbePlatform
import Testing

@Suite struct PinGroupTests {
    private static let now = Date(timeIntervalSince1970: 1_793_534_400)
    private static let pin = Pin(kind: .spki, digest: .sha256(of: [1]))
    private static let other = Pin(kind: .spki, digest: .sha256(of: [2]))

    private static func group(
        _ pins: [Pin] = [pin], position: PinPosition = .leaf, chain: PinChain = .validated,
        window: TransitionWindow? = nil, expiry: PinGroup.Expiry? = nil, pinExpiries: [Pin: Date] = [:],
        isEnforced: Bool = true
    ) -> PinGroup {
        PinGroup(
            pins, position: position, chain: chain, window: window, expiry: expiry, pinExpiries: pinExpiries,
            isEnforced: isEnforced)
    }

    /// The index follows from the pins, and no verdict depends on the groups of common names; everything else makes two
    /// groups differ.
    @Test func groupsDifferInEveryProperty() {
        let others = [
            Self.group([Self.other]), Self.group(position: .ca), Self.group(chain: .presented),
            Self.group(window: TransitionWindow(start: Self.now, end: Self.now)),
            Self.group(expiry: PinGroup.Expiry(last: Self.now)), Self.group(pinExpiries: [Self.pin: Self.now]),
            Self.group(isEnforced: false),
        ]
        #expect(Mirror(reflecting: Self.group()).children.count == others.count + 2)
        #expect(Self.group() == Self.group())
        #expect(Set([Self.group(), Self.group()]).count == 1)
        for (index, group) in others.enumerated() {
            #expect(group != Self.group(), "\(index)")
            #expect(group == others[index])
        }
    }

    @Test(
        "a position as text",
        arguments: [
            ("leaf", .leaf), ("ca", .ca), ("any", .any), ("first-1", .first(1)), ("first-100", .first(100)),
            ("first-0", nil), ("first-101", nil), ("first--1", nil), ("first-", nil), ("third-3", nil), ("", nil),
        ] as [(String, PinPosition?)])
    func positions(text: String, position: PinPosition?) {
        #expect(PinPosition(text) == position)
        if let position { #expect(position.description == text) }
    }

    @Test(
        arguments: [(.leaf, [0]), (.ca, [1, 2, 3]), (.any, [0, 1, 2, 3]), (.first(2), [0, 1])]
            as [(PinPosition, [Int])])
    func aPositionIncludes(position: PinPosition, indices: [Int]) {
        #expect((0..<4).filter(position.includes(index:)) == indices)
    }
}
