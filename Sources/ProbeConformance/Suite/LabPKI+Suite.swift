public import ProbeLab

extension LabPKI {
    /// The PKI that requirements share, since making keys takes a while.
    public static let suite = LabPKI(epoch: ConformanceSuite.epoch)
}
