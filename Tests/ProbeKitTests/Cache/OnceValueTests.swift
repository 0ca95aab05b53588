import ProbeKit
import Testing

@Suite struct OnceValueTests {
    @Test func theFirstValueStays() {
        let once = Once<Int>()
        #expect(once.value { 1 } == 1)
        #expect(once.value { 2 } == 1)
    }

    @Test func aFailureIsNotKept() {
        struct Failed: Error {}
        let once = Once<Int>()
        #expect(throws: Failed.self) { try once.value { () throws(Failed) in throw Failed() } }
        #expect(once.value { 7 } == 7)
    }
}
