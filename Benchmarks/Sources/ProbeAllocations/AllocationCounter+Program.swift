import CProbeAllocations
public import ProbeBench

extension AllocationCounter {
    /// Counts the allocations of the program that links this module, including its libraries'; nil if they can't be
    /// counted.
    public static var ofThisProgram: AllocationCounter? {
        cprobe_counts_allocations() == 0 ? nil : AllocationCounter { cprobe_allocations() }
    }
}
