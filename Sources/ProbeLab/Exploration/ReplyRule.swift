import ProbeDNS
import ProbeKit

/// One way to change a reply.
struct ReplyRule: Sendable {
    let name: String
    /// Changes a reply; returns false where the rule does not apply.
    let apply: @Sendable (inout ReplyPlan, inout SeededNumbers) -> Bool

    init(_ name: String, _ apply: @escaping @Sendable (inout ReplyPlan, inout SeededNumbers) -> Bool) {
        self.name = name
        self.apply = apply
    }

    /// A rule that always applies, and changes the message alone.
    static func message(
        _ name: String, _ change: @escaping @Sendable (inout LabDNSMessage, inout SeededNumbers) -> Void
    ) -> ReplyRule {
        ReplyRule(name) { plan, numbers in
            change(&plan.message, &numbers)
            return true
        }
    }

    /// A rule for one of the answers.
    static func answer(
        _ name: String, _ change: @escaping @Sendable (inout LabDNSRecord, ReplyPlan, inout SeededNumbers) -> Void
    ) -> ReplyRule {
        ReplyRule(name) { plan, numbers in
            guard !plan.message.answers.isEmpty else { return false }
            let place = numbers.below(plan.message.answers.count)
            change(&plan.message.answers[place], plan, &numbers)
            return true
        }
    }

    /// All rules, in an order that stays: a reply is the number of its rules. None makes a reply that a client has to
    /// ignore, which only costs the time until it gives up.
    static let all: [ReplyRule] = header + records + strings + aliases + sections + options + bytes
    static let names = all.map(\.name)
    static let named = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// Fields of the header, and the counts and length of the message.
    private static let header: [ReplyRule] =
        [UInt16(1), 2, 3, 4, 5, 6, 9, 11, 15].map { code in
            .message("header/code-\(code)") { message, _ in message.responseCode = .init(rawValue: code) }
        } + [
            .message("header/not-authoritative") { message, _ in message.isAuthoritative = false },
            .message("header/authenticated") { message, _ in message.isAuthenticated = true },
            .message("header/truncated") { message, _ in message.truncation = .always },
            .message("header/truncated-over-udp") { message, numbers in
                message.truncation = .overUDP(keeping: numbers.below(2))
            },
            .message("header/question-case") { message, _ in message.question = .caseChanged },
            .message("header/answer-more") { message, _ in message.claimedAnswers = UInt16(message.answers.count + 1) },
            .message("header/answer-fewer") { message, _ in
                message.claimedAnswers = UInt16(max(0, message.answers.count - 1))
            },
            .message("header/answers-65535") { message, _ in message.claimedAnswers = 65_535 },
            .message("header/byte-after") { message, numbers in
                message.tail = (0...numbers.below(3)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
            },
            // The question stays whole: a reply to no question is ignored.
            .message("header/cut") { message, numbers in message.cut = 42 + numbers.below(60) },
        ]

    /// Bits that went wrong on the way, behind the question.
    private static let bytes: [ReplyRule] =
        (1...4).map { count in
            .message("bytes/flipped-\(count)") { message, numbers in
                for _ in 0..<count { message.flips[numbers.below(512), default: 0] ^= 1 << UInt8(numbers.below(8)) }
            }
        }
}
