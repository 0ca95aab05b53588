import CProbeAllocations
public import ProbeBench

extension AllocationCounter {
    /// Counts the allocations of the program that links this module, its libraries' among them; nil where they can't be
    /// counted.
    public static var ofThisProgram: AllocationCounter? {
        cprobe_counts_allocations() == 0 ? nil : AllocationCounter { cprobe_allocations() }
    }
}
