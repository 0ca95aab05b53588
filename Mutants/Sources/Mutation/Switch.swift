/// The code that chooses a mutant while the tests run, as a file for each module that has some.
public enum Switch: Sendable {
    /// The name of the type in that file.
    static let name = "ProbeMutant"
    /// The environment variable that chooses the mutant: its number. It is read once.
    public static let active = "PROBE_MUTANT"
    /// The environment variable that names a file of a byte for each mutant, set to 1 when its code is reached.
    public static let reached = "PROBE_MUTANTS_REACHED"

    /// The condition that holds while a mutant is switched on.
    static func isOn(_ id: Int) -> String { "\(name).on(\(id))" }

    /// The file's text.
    ///
    /// - Parameter count: how many mutants there are in all modules.
    public static func source(count: Int) -> String {
        """
        import Glibc

        /// The switch of the mutants in this copy of the sources; public for the sake of default arguments.
        public enum \(name): Sendable {
            private static let active: Int = {
                guard let text = unsafe getenv("\(active)") else { return 0 }
                return unsafe Int(String(cString: text)) ?? 0
            }()

            /// The bytes of the file that keeps what was reached: the kernel writes them, however the process ends.
            nonisolated(unsafe) private static let reached: UnsafeMutablePointer<UInt8>? = {
                guard let path = unsafe getenv("\(reached)") else { return nil }
                let file = unsafe open(path, O_RDWR)
                guard file >= 0 else { return nil }
                let bytes = unsafe mmap(nil, \(count + 1), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                return unsafe bytes.map { unsafe $0.assumingMemoryBound(to: UInt8.self) }
            }()

            @inline(never) public static func on(_ id: Int) -> Bool {
                if let reached = unsafe reached { unsafe reached[id] = 1 }
                return id == active
            }
        }

        """
    }
}
