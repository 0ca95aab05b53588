import ProbeKit
import Testing

@Suite struct BoundedMemoryTests {
    @Test func whatIsRememberedIsNotMadeAgain() {
        let memory = BoundedMemory<Int, String>(limit: 2)
        #expect(memory.value(for: 1) { "one" } == "one")
        #expect(memory.value(for: 1) { "another" } == "one")
        #expect(memory[2] == nil)
        memory[2] = "two"
        #expect(memory[1] == "one" && memory[2] == "two")
    }

    @Test func itIsNeverFullerThanItsLimit() {
        let memory = BoundedMemory<Int, Int>(limit: 10)
        for key in 0..<100 {
            memory[key] = key
            #expect(memory[key] == key)
            #expect((0...key).count { memory[$0] != nil } <= 10)
        }
    }

    @Test func aFailureIsNotRemembered() throws {
        struct Failed: Error {}
        let memory = BoundedMemory<Int, Int>(limit: 2)
        #expect(throws: Failed.self) { try memory.value(for: 1) { () throws(Failed) in throw Failed() } }
        #expect(memory.value(for: 1) { 7 } == 7)
    }
}
