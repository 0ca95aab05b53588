import Yams

enum P: Sendable {}
