import Foundation
import ProbeTestSupport
import Testing

/// The processes of one group, as `/proc` shows them.
struct ProcessGroup: Sendable {
    /// The file did not hold a number.
    struct Unreadable: Error {}

    private let number: Int32

    /// The group whose number is in a file.
    init(file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let number = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw Unreadable() }
        self.number = number
    }

    /// The living processes. One that only waits to be reaped by its parent does not count.
    var members: [Int32] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap(Int32.init).filter { process in
            // proc(5): the name, in parentheses, may hold anything; state, parent and group follow it.
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { return false }
            let fields = text[name...].split(separator: " ").dropFirst()
            return fields.count > 2 && fields.first != "Z" && fields.dropFirst(2).first == "\(number)"
        }
    }
}

@Suite(.bounded) struct PartnerProcessTests {
    @Test(.bounded)
    func aProgramThatEndsIsReportedWithItsWords() async throws {
        let port = try LoopbackPort.free()
        let partner = PartnerProcess(program: "sh", arguments: ["-c", "echo no such zone >&2"], port: port)
        let error = await #expect(throws: PartnerProcess.StartError.self) { () async throws in try await partner.run {}
        }
        #expect(error?.description.contains("no such zone") == true)
    }

    @Test func programsAreFoundOrNot() {
        #expect(PartnerProcess.isInstalled("sh"))
        #expect(!PartnerProcess.isInstalled("no-such-program"))
    }
}
