import ProbeKit
import ProbeLab
import ResolverUnbound
import Testing

@Suite struct UnboundResolverTests {
}
