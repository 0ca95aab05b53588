import CProbeCAres
import ProbePlatform

/// An eventfd: any thread can signal it, and the loop's poll returns.
final class EventDescriptor: Sendable {
    /// The descriptor to poll; -1 if the system had none left.
    let descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))

    deinit { if descriptor >= 0 { close(descriptor) } }

    func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// The time in ms after which a poll has to look by itself; nil where it is woken.
    var blindness: Int32? { descriptor < 0 ? 20 : nil }

    func silence() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
