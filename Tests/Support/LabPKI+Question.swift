import Foundation
public import ProbeKit
public import ProbeLab

extension LabPKI {
    /// Returns the question about the chain of an identity.
    ///
    /// - Parameters:
    ///   - anchors: nil stands for the lab's root.
    ///   - offset: the seconds from the epoch to the instant of the question.
    public func question(
        _ identity: LabIdentityName, name: String? = "good.test", anchors: TrustAnchors? = nil, at offset: Int = 0,
        purpose: TrustQuestion.Purpose = .server, maxDepth: Int? = nil
    ) throws -> TrustQuestion {
        TrustQuestion(
            chain: try self.identity(identity).chain, anchors: try anchors ?? self.anchors(),
            name: try name.map { try ServerName($0) }, instant: epoch.addingTimeInterval(TimeInterval(offset)),
            purpose: purpose, maxDepth: maxDepth)
    }
}
