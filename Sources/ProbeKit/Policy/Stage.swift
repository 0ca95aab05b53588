/// The step of a probe that a finding belongs to, in the order in which data flows.
public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
    case connect
    case tls
    case trust
    case pins
    case dns
    case signature
}
