public import ProbeKit

/// The records that were followed from a target to the servers of its service.
package struct FollowedCourse: Hashable, Sendable {
    /// The target as it was named.
    package let origin: Target
    /// The questions and their answers, in order.
    package let steps: [FollowedRecords]
}

extension Check {
    /// Returns the check of the targets that records led to, in turn until one answers.
    ///
    /// - Parameters:
    ///   - targets: each dialled at an address; the target itself stays if there is none.
    ///   - mailHosts: by the names that they prove, if DANE is asked for.
    package func led(
        to targets: [Target], by steps: [FollowedRecords], mailHosts: [ServerName: MailHost]? = nil
    ) -> Check {
        var check = aimed(at: targets.first ?? target)
        check.mailHosts = mailHosts
        check.alternates = Array(targets.dropFirst())
        return check.coming(from: target, by: steps)
    }

    /// Returns the check of a target whose records lead nowhere: nothing is dialled, and each handshake fails with this.
    package func led(astray failure: HandshakeFailure, by steps: [FollowedRecords]) -> Check {
        aimed(at: target).taking(.absent(failure)).coming(from: target, by: steps)
    }

    private func coming(from origin: Target, by steps: [FollowedRecords]) -> Check {
        guard !steps.isEmpty else { return self }
        var check = self
        check.course = FollowedCourse(origin: origin, steps: steps)
        check = check.announcing(
            .note("records-followed", stage: .connect, steps.map(\.description).joined(separator: "; then ")))
        // With DANE the name is DNSSEC's, or nothing has to be proved.
        guard target.name != origin.name, mailHosts == nil else { return check }
        return check.announcing(
            .note(
                "name-from-records", stage: .trust,
                "the certificate has to prove the name of the mail host, which DNS named without validation: who changes that answer chooses the name"
            ))
    }

    /// The target as it was named, before its records were followed.
    public var named: Target { course?.origin ?? target }
}
